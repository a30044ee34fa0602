# SPDX-License-Identifier: BSD-3-Clause
"""Curves of a sweep, without the picture."""

import json
import unittest

from scratch import Scratch

from blockzero import ui
from blockzero.results import curves, report

ORIGIN = {"run": "sweep", "set": "mine", "git": "0123456789abcdef", "git_dirty": False, "linux": "6.12.117-1", "soc": {"rocket": "LitexFullConfig"}}


def pft(mode, cycles, **choices):
    return {"test": "pft", "mode": mode, "folio_kib": 4, "lines": 1, "rep": 1, "folios": 10, "cycles": cycles * 10, "choices": choices}


RECORDS = [pft(mode, cycles * int(latency), PORT=port, READ_LATENCY=latency) for port in ("relaxed", "ordered") for latency in ("100", 20, 5)
           for mode, cycles in (("stock", 100), ("engine", 50 if port == "ordered" else 25))]
SCRUB = {"test": "scrub", "mode": "engine", "pages": 10, "awake_cycles": 500, "idle_cycles": 100, "choices": {"PORT": "relaxed", "READ_LATENCY": 5}}


class Curves(Scratch):
    def result(self, records):
        path = self.path / "sweep.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in [{"provenance": ORIGIN}, *records]))
        return path

    def test_numbers_are_sorted_words_are_not_and_the_longest_comes_first(self):
        self.assertEqual(list(curves.swept(RECORDS).items()), [("READ_LATENCY", [5, 20, 100]), ("PORT", ["relaxed", "ordered"])])

    def test_roles(self):
        four, two, one = [1, 2, 3, 4], [1, 2], [1]
        for over, roles in (({"A": four}, ("A", None, [])), ({"A": four, "B": two}, ("A", "B", [])), ({"A": four, "B": four}, ("A", None, ["B"])),
                            ({"A": four, "B": four, "C": two}, ("A", "C", ["B"])), ({"A": four, "B": one}, ("A", None, [])),
                            ({"A": two, "B": two, "C": two}, ("A", "B", ["C"]))):
            self.assertEqual(curves.roles(over), roles)

    def test_a_curve_is_that_of_its_choices(self):
        measured = curves.points(RECORDS, curves.swept(RECORDS))
        self.assertEqual(curves.series(measured, "4 KiB, 1 line touched", "engine", "READ_LATENCY", {"PORT": "relaxed"}),
                         [(5, [125], [500]), (20, [500], [2000]), (100, [2500], [10000])])
        self.assertEqual(curves.series(measured, "4 KiB, 1 line touched", "cpu", "READ_LATENCY", {}), [])

    def test_page(self):
        text = curves.page(self.result([*RECORDS, SCRUB]))
        self.assertIn("| what faults | `READ_LATENCY` | `PORT` | stock | kscrubd, engine |", text)
        self.assertIn("| 4 KiB, 1 line touched | 20 | ordered | 50.0 | 100.  2.00x |", text)
        self.assertIn("| 5 | relaxed | - | 40 |", text)
        self.assertIn("DRAM read latency, cycles (`READ_LATENCY`): 5, 20, 100; front port (`PORT`): relaxed, ordered", text)

    def test_a_run_that_is_missing_leaves_a_gap(self):
        text = curves.page(self.result([record for record in RECORDS if record["choices"] != {"PORT": "ordered", "READ_LATENCY": 20}]))
        self.assertNotIn("| 20 | ordered |", text)
        self.assertIn("| 20 | relaxed |", text)

    def test_what_is_no_sweep_is_refused(self):
        for path in (report.PUBLISHED / "bench.jsonl", self.result([SCRUB])):
            with self.assertRaisesRegex(ui.Error, "is no sweep of fault rates"):
                curves.page(path)

    def test_the_published_page_is_that_of_its_results(self):
        for path in report.PUBLISHED.glob("curves-*.jsonl"):  # as long as none is published there is nothing to be stale
            self.assertEqual(path.with_suffix(".md").read_text(), curves.page(path), f"run: make publish RESULTS={path}")


if __name__ == "__main__":
    unittest.main()
