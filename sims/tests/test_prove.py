# SPDX-License-Identifier: BSD-3-Clause
"""Proofs: what is made of firtool's Verilog, what a mutant may change, and what is said of the solver's records."""

import unittest
from dataclasses import asdict

from scratch import Scratch

from blockzero import ui
from blockzero.building.fpga import Tile
from blockzero.proving import model, mutants, prove
from blockzero.results import proofs, report

VERILOG = """module Engine(
  input clock
);
  wire [2:0] busy = {a,
                     b};
  always @(posedge clock) begin
    if (~reset) begin
      assert__chisel3_builtin:
        assert(a
               | b)
        else $error("Assertion failed: neither; nor\\n");
      cover__cover: cover(a);
      assert__chisel3_builtin_0: assert(c) else $error("Assertion failed: no c\\n");
    end
    if (reset)
      d <= 1'h0;
  end // always @(posedge)
  always @(posedge clock) begin
    if (~reset)
      cover__cover: cover(a & ~b);
    e <= d;
  end // always @(posedge)
  Part part (
    .clock (clock)
  );
endmodule
module Part(
  input clock
);
  reg [7:0] Memory[0:3];
endmodule
"""


class Model(unittest.TestCase):
    def test_assertions_stand_apart(self):
        text = model.immediate(VERILOG)
        self.assertIn("    if (~reset) assert(a | b);  // CHISEL neither; nor\n    if (~reset) assert(c);  // CHISEL no c\n", text)
        self.assertIn("always @(posedge clock) begin\n    if (reset)\n      d <= 1'h0;\n  end", text)
        self.assertIn("always @(posedge clock) begin\n    e <= d;\n  end", text)

    def test_an_assertion_of_another_form_is_not_left_out(self):
        with self.assertRaisesRegex(ui.Error, "2 assertions, of which 0 are understood"):
            model.immediate(VERILOG.replace("if (~reset) begin", "if (~reset & a) begin"))

    def test_wires_are_found_by_name_or_not_at_all(self):
        wires = model.Wires(VERILOG)
        self.assertEqual(wires.wire("", "busy"), "\\engine.busy ")
        self.assertEqual(wires.memory("part", 2), "{\\engine.part.Memory[1] , \\engine.part.Memory[0] }")
        self.assertIn("wire [2:0] \\engine.busy ;", wires.declarations())
        self.assertIn("wire [7:0] \\engine.part.Memory[1] ;", wires.declarations())
        for path, name, said in (("", "idle", "no wire idle"), ("whole", "busy", "no instance whole")):
            with self.assertRaisesRegex(ui.Error, said):
                wires.wire(path, name)
        with self.assertRaisesRegex(ui.Error, "no memory of 5 words"):
            wires.memory("part", 5)

    def test_a_mutant_changes_one_line(self):
        name = "ABORT does not stop the active job"
        line = "runs = a & ~io_abort_0 & ~io_hang_0;\n"
        self.assertEqual(mutants.change(name)(line), "runs = a & ~io_hang_0;\n")
        for text in ("", line + line):
            with self.assertRaisesRegex(ui.Error, "not 1"):
                mutants.change(name)(text)
        self.assertLessEqual(set(mutants.QUICK), set(mutants.MUTANTS))
        self.assertEqual(mutants.change("data passes after a write's own", "MmioSplit")("sending = writing & ~dataSent;"), "sending = writing;")
        with self.assertRaisesRegex(ui.Error, "0 lines of MmioSplit match"):
            mutants.change("data passes after a write's own", "MmioSplit")("")


class Records(Scratch):
    RECORDS = [
        {"test": "prove", "kind": "induction", "tile": "small", **asdict(Tile()), "seconds": 1, "assertions": 2, "proven": {"PROMISE": {"it holds": 1}}, "failed": []},
        {"test": "prove", "kind": "mutant", "mutant": "wrong", "cycle": 3, "breaks": ["it holds"]},
        {"test": "prove", "kind": "reached", "what": "a job", "cycle": 4},
        {"test": "prove", "kind": "part", "part": "Split", "seconds": 1, "assertions": 3, "proven": {"PROMISE": {"no beat is lost": 3}}, "failed": []},
        {"test": "prove", "kind": "mutant", "part": "Split", "mutant": "lossy", "cycle": 5, "breaks": ["no beat is lost"]},
        {"test": "prove", "kind": "reached", "part": "Split", "what": "a burst", "cycle": 6},
    ]

    def test_verdicts(self):
        self.assertTrue(all(good for good, _ in prove.verdicts(self.RECORDS)))
        wrong = {"induction": {"failed": ["x"]}, "part": {"failed": ["x"]}, "mutant": {"cycle": None, "breaks": []}, "reached": {"cycle": None}}
        bad = [{**record, **wrong[record["kind"]]} for record in self.RECORDS]
        self.assertFalse(any(good for good, _ in prove.verdicts(bad)))

    def test_page(self):
        self.patch(report, "load", lambda _: ({"git": "0" * 40}, self.RECORDS))
        self.patch(proofs.provenance, "revision", lambda _: "0")
        text = proofs.page(self.path)
        for line in ("- It holds.", "| wrong | 3 | it holds |", "| a job | 4 |", "3 assertions, 0 not proven; 1 s.", "- No beat is lost.",
                     "| lossy | 5 | no beat is lost |", "Possible: a burst (cycle 6)."):
            self.assertIn(line + "\n", text)


if __name__ == "__main__":
    unittest.main()
