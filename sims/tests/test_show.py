# SPDX-License-Identifier: BSD-3-Clause
"""What is shown of a result when its runs have ended."""

import io
import json
from contextlib import redirect_stdout

from blockzero.results import report, show
from scratch import Scratch

ORIGIN = {"git": "0123456789abcdef", "git_dirty": False, "set": "mine", "soc": {"rocket": "R", "front_port": "ordered"}, "linux": "6.12",
          "config": {"read_latency": 30, "write_latency": 6}}
FAULT = {"test": "pft", "folio_kib": 4, "lines": 1, "rep": 1, "mode": "stock", "cycles": 640_000, "folios": 64}


class Show(Scratch):
    def shown(self, *records):
        path = self.path / "result.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in [{"provenance": ORIGIN}, *records]))
        self.environment(RESULTS=str(path))
        with redirect_stdout(io.StringIO()) as out:
            show.show()
        return out.getvalue()

    def test_one_mode_alone_has_a_table_and_no_plot(self):
        self.assertRegex(self.shown(FAULT, {**FAULT, "cycles": 650_000}), r"4 KiB, 1 line touched +10\.0 -1\.5%")

    def test_records_of_a_program_of_one_s_own_are_shown_as_they_are(self):
        self.assertIn('{"hello": 1}', self.shown({"hello": 1}))

    def test_without_stock_to_compare_with_there_is_no_plot_either(self):
        self.assertIn("4 KiB, 1 line touched", self.shown({**FAULT, "mode": "engine"}, {**FAULT, "mode": "none"}))

    def test_several_modes_are_plotted(self):
        drawn = []
        self.patch(report, "plot", lambda *arguments: drawn.append(arguments[2]))
        self.assertIn("2.00x", self.shown(FAULT, {**FAULT, "mode": "engine", "cycles": 320_000}))
        self.assertEqual(drawn, [self.path / "report"])
