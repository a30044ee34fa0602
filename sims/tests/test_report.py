# SPDX-License-Identifier: BSD-3-Clause
"""Tables and pages of results, from records like those of runs; and that what is published is what its results say."""

import json
import re
import unittest
from unittest import mock

from scratch import ROOT, Scratch

from blockzero.building import kernel, layout
from blockzero.results import clearing, findings, headline, layouts, letter, report, rivals


class Report(Scratch):
    def test_ratio_and_spread(self):
        def record(mode, cycles):
            return {"test": "pft", "mode": mode, "folio_kib": 4, "lines": 1, "rep": 1, "folios": 10, "cycles": cycles, "wall_ns": 0}
        table = report.collect([record("stock", 100000), record("stock", 125000), record("engine", 50000)])
        text = report.markdown(table)
        self.assertIn("4 KiB, 1 line touched", text)
        self.assertIn("10.0 -20.0%", text)
        self.assertIn("20.0  2.00x", text)

    def test_on_demand_is_beside_what_engine_and_cpu_allow(self):
        def record(mode, cycles, **more):
            return {"test": "pft", "mode": mode, "folio_kib": 2048, "lines": 1, "rep": 1, "folios": 2, "mhz": 100, "cycles": cycles,
                    "fault_ns": cycles * 10, **more}
        records = [record("stock", 2200000), record("none", 200000), record("demand", 500000, engine_busy_cycles=2 ** 20, engine_bytes=2 ** 22)]
        text = report.on_demand(records)  # 2 MiB take the engine 2^19 cycles
        self.assertIn("4.00 bytes a cycle and the CPU 2.10: 1.91x", text)
        self.assertIn("are 4.40x as fast, 230.7% of it", text)
        self.assertEqual(report.on_demand(records[::2]), "")

    def test_depletion_is_averaged_over_rounds(self):
        def record(hits, rep=10, mode="engine", wall_ns=1000):
            return {"test": "pft", "mode": mode, "folio_kib": 16, "lines": 1, "rep": rep, "folios": 10, "cycles": 100, "zeroed_hit": hits, "wall_ns": wall_ns}
        text = report.depletion([record(2), record(6), record(9, rep=1)])
        self.assertIn("40% (16 KiB", text)
        self.assertNotIn("wall time", text)
        self.assertIn("Zeroing is 75% (16 KiB) of stock's", report.depletion([record(2), record(0, mode="stock"), record(0, mode="none", wall_ns=250)]))
        self.assertEqual(report.depletion([record(9, rep=1)]), "")

    def test_rivals_are_judged_by_time_and_by_cpu_time(self):
        def record(mode, fault_ns, cpu_ns):
            return {"test": "pft", "mode": mode, "folios": 2, "mhz": 100, "fault_ns": fault_ns, "cpu_ns": cpu_ns}
        records = [record("stock", 40000, 40000), record("workers4", 10000, 60000), record("demand", 8000, 2000)]
        self.assertEqual(rivals.costs(records, "fault_ns"), {"stock": [2000], "workers4": [500], "demand": [400]})
        self.assertEqual(rivals.costs(records, "cpu_ns"), {"stock": [2000], "workers4": [3000], "demand": [100]})

    def test_layouts_are_compared_one_by_one(self):
        def record(layout, patches, cycles):
            return {"test": "pft", "mode": "stock", "layout": layout, "patches": patches, "folios": 2, "cycles": cycles}
        records = [record(0, "none", 200), record(0, "none", 300), record(0, "all", 210), record(1, "none", 100), record(1, "all", 98)]
        self.assertEqual(layouts.ratios(records, {"patches": "all"}, {"patches": "none"}), [1.05, 0.98])
        self.assertEqual(layouts.ratios([*records, record(2, "all", 90)], {"patches": "all"}, {"patches": "none"}), [1.05, 0.98])

    def test_the_kernel_as_built_is_not_among_the_layouts(self):
        self.assertEqual(layouts._row("x", [2, 1.01, 1.03]), "| x | 2 | +2.00% ± 1.00% | +1.0% | +3.0% | +100.0% |")

    def test_a_layout_is_the_same_each_time(self):
        self.assertEqual(layout.padding(0), ())
        self.assertEqual(layout.padding(1), layout.padding(1))
        self.assertNotEqual(layout.padding(1), layout.padding(2))
        self.assertTrue(all(0 <= size < layout.WAY and size % layout.LINE == 0 for *_, size in layout.padding(1)))

    def test_published_pages_are_those_of_their_results(self):
        for name, results, page in (("report", "bench", report.page), ("rivals", "rivals", rivals.page), ("layouts", "layouts", layouts.page)):
            with self.subTest(name):
                self.assertEqual((report.PUBLISHED / f"{name}.md").read_text(), page(report.PUBLISHED / f"{results}.jsonl"),
                                 f"run: make publish RESULTS=docs/results/{results}.jsonl")

    def test_the_letters_have_the_published_tables(self):
        for part in kernel.PARTS:
            for table in letter.tables(part):
                self.assertIn(table, kernel.letter(part), "run 'make publish RESULTS=docs/results/bench.jsonl', then 'make linux-tree'")

    def test_stale_tables_of_letters_are_replaced(self):
        patches = self.path / "patches"
        for part in kernel.PARTS:
            (patches / part).mkdir(parents=True)
            now = (kernel.PATCHES / part / kernel.LETTER).read_text()
            (patches / part / kernel.LETTER).write_text(re.sub(r"(?m)^(  (?:4|16|64) KiB.*?)\d\.\d\d([x%])", r"\g<1>0.00\2", now))
        for part, old in {part: (kernel.PATCHES / part / kernel.LETTER).read_text() for part in kernel.PARTS}.items():
            with mock.patch.object(kernel, "PATCHES", patches):
                letter.publish()
            self.assertEqual((patches / part / kernel.LETTER).read_text(), old)

    def test_readme_says_what_the_published_results_say(self):
        now = headline.README.read_text()
        self.assertIn(headline.text(report.PUBLISHED / "bench.jsonl"), now, "run 'make publish RESULTS=docs/results/bench.jsonl'")
        stale = now.replace("A page fault that finds", "Somebody's page fault that finds")
        self.assertNotEqual(stale, now)
        self.assertEqual(headline.readme(stale, report.PUBLISHED / "bench.jsonl"), now)

    def test_the_page_of_findings_is_not_stale(self):
        self.assertEqual(findings.PAGE.read_text(), findings.text(), "run 'make publish RESULTS=docs/results/bench.jsonl'")
        for name in re.findall(r"\]\(([\w-]+)\.md\)", findings.text()):
            self.assertIn(name, findings.PAGES)
        pages = {path.stem for path in report.PUBLISHED.glob("*.md")} - {"README"}
        self.assertLessEqual(pages, set(findings.PAGES), "each page has its line in results/findings.py")

    def test_published_chipyard_page_is_that_of_its_results(self):
        files = clearing.published()
        self.assertTrue(files)
        self.assertEqual((report.PUBLISHED / "chipyard.md").read_text(), clearing.page(files),
                         f"run: make publish RESULTS={files[0].relative_to(ROOT)}")

    def test_clocks_that_differ_are_compared_in_time(self):
        record = {"test": "throughput", "bytes": 4096, "caches": "clean", "engine_cycles": 1100, "engine_busy_cycles": 500, "cpu_cycles": 4000}
        origin = {"provenance": {"config": "blockzero.MyBlockZeroConfig"}}
        for more, ratio in (({}, "8.00x"), ({"engine_per_1000_core_cycles": 250}, "2.00x")):
            path = self.path / "chipyard-My.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line in (origin, {**record, **more})))
            self.assertIn(f"| My | 4 KiB | clean | 500 | 8.19 | 1100 | 4000 | {ratio} |", clearing._throughput([path]))

    def test_ways_to_clear_are_compared_by_the_memory_s_state(self):
        records = [{"test": "clear", "by": by, "state": "dirty in L1", "bytes": 4096, "cycles": cycles} for by, cycles in (("stores", 800), ("engine", 1600), ("engine", 1600))]
        path = self.path / "chipyard-My.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in ({"provenance": {"config": "blockzero.MyBlockZeroConfig"}}, *records)))
        self.assertIn("| My | 4 KiB | dirty in L1 | 800 | - | 1600 | 0.50x | - |", clearing._states([path]))


if __name__ == "__main__":
    unittest.main()
