# SPDX-License-Identifier: BSD-3-Clause
"""Cover points: what Verilator writes is counted by test, and what no test reached is said."""

import unittest

from scratch import Scratch

from blockzero.results import coverage, report


def line(point: str, times: int) -> str:
    """As Verilator writes it."""
    return f"C '\x01f\x02/a/Tracker.sv\x01l\x024\x01page\x02v_user/Tracker\x01o\x02cover___05F{point}\x01h\x02TOP.a' {times}\n"


class Coverage(Scratch):
    def test_points_are_counted_by_test(self):
        for test, text in (("contract", line("A_STALL", 3) + line("B_DROP", 0)), ("chisel", line("A_STALL", 1) + line("A_STALL", 4) + "C 'cover of Rocket' 7\n")):
            (self.path / test).mkdir()
            (self.path / test / coverage.FILE).write_text(text)
        found = coverage.records(self.path)
        self.assertEqual(found, [{"test": "coverage", "point": "A_STALL", "reached": {"chisel": 5, "contract": 3}},
                                 {"test": "coverage", "point": "B_DROP", "reached": {"contract": 0}}])
        self.assertEqual(coverage.never(found), ["B_DROP"])

    def test_page(self):
        self.patch(report, "load", lambda _: ({"git": "0" * 40, "seed": 7}, [{"test": "coverage", "point": "TRACKER_SLOT_STALL", "reached": {"chisel": 5}},
                                                                             {"test": "coverage", "point": "SCHEDULER_RATE_STALL_1", "reached": {"chisel": 0}}]))
        self.patch(coverage.provenance, "revision", lambda _: "0")
        text = coverage.page(self.path)
        self.assertIn("Never reached: SCHEDULER_RATE_STALL_1.\n", text)
        self.assertIn("| TRACKER_SLOT_STALL | every slot is in flight | 5 |\n", text)
        self.assertIn("| SCHEDULER_RATE_STALL_1 | the rate limit holds a block back | 0 |\n", text)


if __name__ == "__main__":
    unittest.main()
