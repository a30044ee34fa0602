# SPDX-License-Identifier: BSD-3-Clause
"""A page fault's cycles by stage and by function."""

from collections import Counter
from unittest import mock

from blockzero import ui
from blockzero.results import cycles, profile, report
from scratch import Scratch

FAULT = ("hart 0", "main", cycles.PASS, "handle_exception", "do_page_fault", "__handle_mm_fault")
STACKS = Counter({("hart 0", "main", "fill_caches"): 1000, ("hart 0", "main", cycles.PASS): 100, FAULT[:4]: 200, (*FAULT, "memset"): 3000,
                  (*FAULT, "__folio_alloc_noprof", "get_page_from_freelist"): 400, (*FAULT, "__folio_alloc_noprof", "do_irq", "tick"): 50})
ORIGIN = {"git": "0123456789abcdef", "git_dirty": False, "soc": {"rocket": "R", "front_port": "ordered"}, "linux": "6.12", "config": {"read_latency": 30, "write_latency": 6}}


class Cycles(Scratch):
    def setUp(self):
        super().setUp()
        self.patch(profile, "fold", lambda *_: STACKS)
        self.patch(profile, "Symbols", lambda _: mock.Mock(names=lambda: {functions[0] for functions in cycles.STAGES.values()}))

    def test_each_stack_counts_for_the_innermost_stage_in_it(self):
        found = cycles.record(self.path, [])
        self.assertEqual(found["stages"], {"the program's own stores": 100, "enter the kernel and leave it": 200, "clear the page": 3000, "allocate it": 400,
                                           "interrupts meanwhile": 50})
        self.assertEqual(found["functions"]["get_page_from_freelist"], 400)
        self.assertNotIn("fill_caches", found["functions"])

    def test_a_stage_of_which_no_function_is_known_is_an_error(self):
        self.patch(cycles, "STAGES", {**cycles.STAGES, "new stage": ("renamed",)})
        self.patch(profile, "Symbols", lambda _: mock.Mock(names=lambda: {"memset"}))
        with self.assertRaisesRegex(ui.Error, r"new stage \(renamed\)"):
            cycles.record(self.path, [])

    def test_the_page_has_cycles_of_one_fault(self):
        pft = {"test": "pft", "mode": "stock", "folios": 10, "cell": "soc/x"}
        self.patch(cycles.report, "load", lambda _: (ORIGIN, [pft, {**cycles.record(self.path, []), "cell": "soc/x"}]))
        page = cycles.page(self.path)
        for line in ("stock: 375 cycles, of which clearing is 80%", "| clear the page | 300 |", "| all | 375 |", "| memset | 300 |"):
            self.assertIn(line, page)

    def test_the_published_page_is_that_of_its_results(self):
        for path in report.PUBLISHED.glob("cycles.jsonl"):
            self.assertEqual(path.with_suffix(".md").read_text(), cycles.page(path), f"run: make publish RESULTS={path}")
