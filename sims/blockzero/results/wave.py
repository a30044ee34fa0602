# SPDX-License-Identifier: BSD-3-Clause
"""Which signals of a waveform to show: save files for GTKWave and command files for Surfer."""

import re
from pathlib import Path

from .. import ui
from ..building import rocket

TOP = "TOP.StandaloneSoc"
ENGINE = f"{TOP}.tile.engine"
CYCLE_NS = 10  # in a waveform
AXI4 = r"_(valid|ready|bits_(id|addr|len|size|data|strb|last|resp))$"
HART = (("retire", ""), ("pc", "[39:0]"), ("instruction", "[31:0]"), ("trap", ""), ("cause", "[63:0]"), ("wfi", ""))
GTKWAVE_COMMENT, GTKWAVE_BIT, GTKWAVE_HEXADECIMAL = "@200", "@28", "@22"


def _ports(verilog: str, module: str, wanted: str) -> list:
    """[(name, width)] of the ports of a module that match, in the order of their declaration."""
    text = re.search(rf"^module {module}\(.*?^\);", verilog, re.M | re.S)
    found = [(name, width) for _, width, name in rocket.ports(text[0]) if re.search(wanted, name)] if text else []
    if not found:
        raise ui.Error(f"the SoC's SystemVerilog has no port like '{wanted}' in a module {module}")
    return sorted(found, key=lambda port: re.search(rf"\b{port[0]}\b", text[0]).start())


def signals(verilog: str, harts: int) -> dict:
    """{group: [(signal, its range in Verilog or "")]}, of the SoC's SystemVerilog."""
    def group(scope: str, module: str, wanted: str) -> list:
        return [(f"{scope}.{name}", width) for name, width in _ports(verilog, module, wanted)]

    found = {"engine: registers": group(f"{TOP}.tile", "BlockZeroTile", f"^regs_.*{AXI4}"),
             "engine: writes": group(f"{TOP}.tile", "BlockZeroTile", f"^dma_.*{AXI4}"),
             "engine: interrupts": group(f"{TOP}.tile", "BlockZeroTile", "^irq")}
    for channel in range(len(set(re.findall(r"\bchannels_(\d+) \(", verilog)))):
        found[f"channel {channel}: job queue"] = group(f"{ENGINE}.channels_{channel}.jobs", "JobQueue", "^io_(submit|held|blocks|answer|finished|abort)")
    for hart in range(harts):
        domain = "tile_prci_domain" + (f"_{hart}" if hart else "")
        found[f"hart {hart}"] = [(f"{TOP}.rocket.{domain}.tile_reset_domain_tile.core.hart_probe.{name}", width) for name, width in HART]
    found["memory port"] = group(TOP, "StandaloneSoc", f"^mem_.*{AXI4}")
    found["MMIO port"] = group(TOP, "StandaloneSoc", f"^mmio_.*{AXI4}")
    return found


def gtkwave(groups: dict, wave: Path, cycle: int) -> str:
    """A save file that opens a waveform at a cycle."""
    lines = [f'[dumpfile] "{wave}"', f"[timestart] {cycle * CYCLE_NS}", f"*-8.0 {cycle * CYCLE_NS}"]
    for name, members in groups.items():
        lines += [GTKWAVE_COMMENT, f"-{name}"]
        for signal, width in members:
            lines += [GTKWAVE_HEXADECIMAL if width else GTKWAVE_BIT, f"{signal}{width}"]
    return "\n".join(lines) + "\n"


def surfer(groups: dict) -> str:
    """A command file: surfer WAVE --command-file FILE."""
    lines = []
    for name, members in groups.items():
        lines += [f"divider_add {name}", *(f"variable_add {signal}" for signal, _ in members)]
    return "\n".join([*lines, "zoom_fit"]) + "\n"


def write(verilog: Path, harts: int, wave: Path, cycle: int) -> tuple[Path, Path]:
    """Writes both files beside the waveform `wave`, of the directory with the SoC's SystemVerilog; `cycle` is what to look at."""
    groups = signals((verilog / "StandaloneSoc.sv").read_text(), harts)
    save, commands = wave.with_suffix(".gtkw"), wave.with_suffix(".sucl")
    save.write_text(gtkwave(groups, wave, cycle))
    commands.write_text(surfer(groups))
    return save, commands
