# SPDX-License-Identifier: BSD-3-Clause
"""The page of results: what stands on it, without the template and plotly. The browser's test looks at the whole page."""

import json
import unittest
from unittest import mock

from scratch import Scratch

from blockzero import ui
from blockzero.results import clearing, curves, figures, html, markdown, report
from blockzero.testing import browser
from blockzero.testing.tally import Tally


def pft(mode, cycles, lines=1, **more):
    return {"test": "pft", "mode": mode, "folio_kib": 4, "lines": lines, "rep": 1, "folios": 10, "cycles": cycles * 10, "mhz": 100, **more}


class Markdown(unittest.TestCase):
    def test_blocks(self):
        self.assertEqual(markdown.to_html("# A `b`\n\n![x](y.png)\n\none *two*\nthree\n\n- a\n  b\n- c <d>"),
                         "<h3>A <code>b</code></h3>\n<p>one <em>two</em> three</p>\n<ul><li>a b</li><li>c &lt;d&gt;</li></ul>")

    def test_code_has_no_emphasis(self):
        self.assertEqual(markdown.inline("`a*b*c` *d*"), "<code>a*b*c</code> <em>d</em>")

    def test_a_table_is_in_a_box_and_folded_if_long(self):
        text = markdown.to_html("| a | b |\n|---|---:|\n| x | 1  2x |")
        self.assertEqual(text, '<div class="box" tabindex="0"><table>\n<thead><tr><th>a</th><th class="number">b</th></tr></thead>\n<tbody>\n'
                               '<tr><td>x</td><td class="number">1&ensp;2x</td></tr>\n</tbody></table></div>')
        self.assertIn("<summary>Table, 13 rows</summary>", markdown.to_html("| a |\n|---|\n" + "| x |\n" * 13))

    def test_empty_cells_keep_their_columns(self):
        self.assertIn("<th>a</th><th></th><th>b</th><th></th>", markdown.to_html("| a | | b | |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |"))


class Page(Scratch):
    def result(self, name, records, **more):
        path = self.path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in [{"provenance": {"run": name, "git": "0123456789abcdef", "git_dirty": False, **more}}, *records]))
        return path

    def test_results_are_sorted_by_kind(self):
        bench, chipyard = self.result("faults", [pft("stock", 1)]), self.result("chipyard-X", [])
        sweep = self.result("sweep-table", [pft("stock", 1, choices={"PORT": "ordered"})], set="table")
        layouts = self.result("layouts", [pft("stock", 1, choices={"LAYOUT": 0, "PATCHES": "all"})], set="layouts")
        self.assertEqual(html.sort([chipyard, layouts, sweep, bench]), {"bench": [bench], "layouts": [layouts], "curves": [sweep], "clearing": [chipyard]})

    def test_what_no_chapter_shows_is_refused(self):
        for paths, pattern in (([self.result("test", [])], "no page shows such a result"), ([], "no results"),
                               ([self.result("a", [pft("stock", 1)]), self.result("b", [pft("stock", 1)])], "one result of bench, and here are")):
            with self.assertRaisesRegex(ui.Error, pattern):
                html.sort(paths)

    def test_every_published_result_has_a_chapter_and_every_plot_has_values(self):
        sections = html.sections(html.sort(html.published()))
        self.assertLessEqual({"faults", "scrub", "depletion", "demand", "rivals", "layouts", "clearing"}, {section.key for section in sections})
        for plot in [plot for section in sections for plot in [*section.plots, *section.small]]:
            self.assertTrue(plot["data"] and all(len(trace["x"]) == len(trace["y"]) == len(trace["hovertext"]) > 0 for trace in plot["data"]), plot["title"])
            json.dumps(plot, allow_nan=False)

    def test_headline(self):
        scrub = [{"test": "scrub", "mode": mode, "pages": 10, "awake_cycles": cycles, "idle_cycles": 100} for mode, cycles in (("cpu", 40100), ("engine", 500))]
        path = self.result("bench", [pft("stock", 1000), pft("engine", 250), pft("demand", 1, fault_ns=50000), *scrub])
        self.assertEqual([figure for figure, _ in html.numbers(path)], ["4.0x", "40 cycles"])
        self.assertEqual(html.bars(path), [("4 KiB page", [("stock", 100, "1\u2009000 cycles", ""), ("demand", 50, "500 cycles", "2.0x as fast"),
                                                           ("engine", 25, "250 cycles", "4.0x as fast")])])
        self.assertEqual(html.caveat(path), "")
        self.assertIn("0.8x as fast if the engine", html.caveat(report.PUBLISHED / "bench.jsonl"))

    def test_a_result_with_little_in_it_makes_a_page(self):
        path = self.result("bench", [pft("stock", 1000), pft("engine", 250)], linux="6.12", soc={"rocket": "R", "front_port": "ordered"},
                           config={"rocket": "R", "port": "ordered", "ram_mib": 24, "read_latency": 30, "write_latency": 6, "bandwidth": 16},
                           stats={"khz": 312.4, "cycles": 5_500_000_000})
        self.assertEqual([section.key for section in html.sections(html.sort([path]))], ["faults"])
        self.assertIn("5.50 billion cycles at 312 kHz", html.origins([path]))
        self.assertIn("DRAM: 30 cycles read", html.origins([path]))

    def test_script_cannot_be_ended_by_a_value(self):
        self.assertEqual(json.loads(html._script({"a": "</script>"})), {"a": "</script>"})
        self.assertNotIn("<", html._script({"a": "</script>"}))


class Figures(Scratch):
    def test_bars_begin_at_stock(self):
        figure = figures.faults(report.collect([pft("stock", 1000), pft("engine", 250), pft("demand", 1, fault_ns=200000)]))
        self.assertEqual([(trace["name"], trace["base"], trace["x"], trace["text"], trace["marker"]["color"]) for trace in figure["data"]],
                         [("kscrubd, engine", 1, [3], ["4x"], report.COLOURS["engine"]), ("engine on demand", 1, [-0.5], ["0.50x"], report.COLOURS["demand"])])

    def test_a_sweep_has_a_figure_for_each_case_and_a_curve_for_each_mode_and_style(self):
        path = browser.sweep(report.PUBLISHED / "bench.jsonl", self.path / "sweep.jsonl")
        _, records, over = curves.load(path)
        found = figures.sweep(records, over)
        self.assertEqual([figure["title"] for figure in found], curves.cases(curves.points(records, over)))
        self.assertEqual(len(found[0]["data"]), 10)
        self.assertEqual(found[0]["data"][0]["x"], [10, 30, 60])
        self.assertEqual(found[0]["layout"]["xaxis"]["title"]["text"], "DRAM read latency, cycles")
        self.assertIn(("PORT = relaxed", None, "dash"), figures.curve_legend(records, over))

    def test_a_working_set_that_was_not_measured_is_no_point(self):
        found = figures.working_sets(clearing.published())
        by_cpu = next(trace for trace in found[0]["data"] if trace["name"] == "by the CPU")
        self.assertNotIn("4 MiB", by_cpu["x"])


class Browser(Scratch):
    """The verdict on what the browser's program prints."""

    def verdict(self, text, code=0):
        def run(_, stdout, **__):
            stdout.write(text.encode())
            return code
        tally, part = Tally(), mock.Mock(home=self.path)
        with mock.patch.object(browser.processes, "run", run), mock.patch.object(browser.tools, "python_environment", lambda: self.path), mock.patch("builtins.print"):
            browser.check(tally, mock.Mock(part=lambda name: part))
        return tally.passed, tally.failed

    def test_verdict(self):
        for text, code, counted in (("ok 1 - a\nok 2 - b\n1..2\n", 0, (2, 0)), ("ok 1 - a\nnot ok 2 - b; c\n1..2\n", 0, (1, 1)), ("ok 1 - a\n", 1, (1, 1)),
                                    ("Traceback\n", 1, (0, 1))):
            self.assertEqual(self.verdict(text, code), counted)


if __name__ == "__main__":
    unittest.main()
