# SPDX-License-Identifier: BSD-3-Clause
"""Save files for waveform viewers."""

import unittest

from scratch import Scratch

from blockzero import ui
from blockzero.results import wave

VERILOG = """module JobQueue(
  input         clock,
                io_submit_valid,
  input  [63:0] io_submit_bits_word
);
endmodule
module Engine();
  Channel channels_0 (
  );
  Channel channels_1 (
  );
endmodule
module BlockZeroTile(
  input         regs_aw_valid,
  input  [15:0] regs_aw_bits_addr,
  output        dma_aw_valid,
                irq_0,
                irq_1
);
endmodule
module StandaloneSoc(
  output        mem_aw_valid,
  output [31:0] mem_aw_bits_addr,
  output [2:0]  mem_aw_bits_prot,
  output        mmio_aw_valid
);
endmodule
"""
JOBS = "TOP.StandaloneSoc.tile.engine.channels_1.jobs"


class Wave(Scratch):
    def test_every_channel_and_hart_is_shown(self):
        groups = wave.signals(VERILOG, 2)
        self.assertEqual(groups["channel 1: job queue"], [(f"{JOBS}.io_submit_valid", ""), (f"{JOBS}.io_submit_bits_word", "[63:0]")])
        self.assertEqual([name for name in groups if name.startswith("hart")], ["hart 0", "hart 1"])
        self.assertEqual(groups["hart 1"][0][0], "TOP.StandaloneSoc.rocket.tile_prci_domain_1.tile_reset_domain_tile.core.hart_probe.retire")
        self.assertEqual(len(groups["engine: interrupts"]), 2)

    def test_signals_that_say_nothing_are_left_out(self):
        self.assertEqual([name.split(".")[-1] for name, _ in wave.signals(VERILOG, 1)["memory port"]], ["mem_aw_valid", "mem_aw_bits_addr"])

    def test_other_verilog(self):
        with self.assertRaisesRegex(ui.Error, "no port like '.irq' in a module BlockZeroTile"):
            wave.signals(VERILOG.replace("irq_", "interrupt_"), 1)

    def test_files(self):
        (self.path / "StandaloneSoc.sv").write_text(VERILOG)
        save, commands = wave.write(self.path, 1, self.path / "wave.fst", 500)
        self.assertEqual(save, self.path / "wave.gtkw")
        lines = save.read_text().splitlines()
        self.assertEqual(lines[:2], [f'[dumpfile] "{self.path / "wave.fst"}"', "[timestart] 5000"])
        self.assertEqual(lines[lines.index(f"{JOBS}.io_submit_bits_word[63:0]") - 1], "@22")
        self.assertEqual(lines[lines.index(f"{JOBS}.io_submit_valid") - 1], "@28")
        self.assertIn(f"divider_add channel 1: job queue\nvariable_add {JOBS}.io_submit_valid\n", commands.read_text())


if __name__ == "__main__":
    unittest.main()
