# SPDX-License-Identifier: BSD-3-Clause
"""Our module in the place of one of Rocket's: where it belongs, or not at all."""

import unittest

import scratch  # noqa: F401  pylint: disable=unused-import

from blockzero import ui
from blockzero.building import rocket

PORTS = "\n  input         clock,\n  input  [3:0]  auto_in,\n  output [63:0] auto_out\n"
ROCKET = f"""module TLFIFOFixer_2({PORTS});
endmodule
module TLFIFOFixer_3({PORTS});
endmodule
module TLInterconnectCoupler_8(
  input clock
);
  TLFIFOFixer_2 fixer ( // @[FIFOFixer.scala 144:27]
    .clock(clock)
  );
endmodule
module TLInterconnectCoupler_9(
  input clock
);
  TLFIFOFixer_3 fixer ( // @[FIFOFixer.scala 144:27]
    .clock(clock)
  );
endmodule
module ExampleRocketSystem(
  input clock
);
  TLInterconnectCoupler_8 subsystem_fbus_coupler_from_port_named_slave_port_axi4 ( // @[LazyModule.scala 432:27]
    .clock(clock)
  );
  TLInterconnectCoupler_9 other (
    .clock(clock)
  );
endmodule
"""
OURS = "// Generated\nmodule RelaxedFifo(\n  input         clock,\n  input  [3:0]  auto_in,\n  output [63:0] auto_out\n);\nendmodule\n"


class RelaxedFifo(unittest.TestCase):
    def refused(self, pattern, text=ROCKET, ours=OURS):
        with self.assertRaisesRegex(ui.Error, pattern):
            rocket.relaxed(text, ours)

    def test_takes_the_front_ports_place_whatever_number_that_has(self):
        for text in (ROCKET, ROCKET.replace("TLFIFOFixer_2", "TLFIFOFixer_7").replace("Coupler_8", "Coupler_1")):
            changed = [(old, new) for old, new in zip(text.splitlines(), rocket.relaxed(text, OURS).splitlines()) if old != new]
            self.assertEqual(len(changed), 1)
            self.assertRegex(changed[0][1], r"^  RelaxedFifo fixer \(")
            self.assertIn(changed[0][0], text[text.index("module TLInterconnectCoupler_"):text.index("module TLInterconnectCoupler_9")])

    def test_another_rocket_is_refused(self):
        self.refused("0 instances named subsystem_fbus_coupler", ROCKET.replace("slave_port_axi4", "slave_port_axi5"))
        self.refused("0 instances named fixer", ROCKET.replace(" fixer (", " buffer ("))
        self.refused("in 2 places", ROCKET.replace("TLInterconnectCoupler_9 other", "TLInterconnectCoupler_8 other"))
        self.refused("different ports: auto_in", ROCKET.replace("[3:0]", "[4:0]"))
        self.refused("different ports: auto_user", ROCKET.replace("  input  [3:0]  auto_in", "  input  auto_user,\n  input  [3:0]  auto_in"))

    def test_ports_are_read_in_both_compilers_style(self):
        self.assertEqual(rocket.ports("module A(\n  input         clock,\n                reset,\n  input  [3:0]  a,\n                b,\n  output        c\n);"),
                         {("input", "", "clock"), ("input", "", "reset"), ("input", "[3:0]", "a"), ("input", "[3:0]", "b"), ("output", "", "c")})


if __name__ == "__main__":
    unittest.main()
