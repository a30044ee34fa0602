# SPDX-License-Identifier: BSD-3-Clause
"""Chisel to SystemVerilog to a simulator binary."""

import json
from pathlib import Path

from . import cache, tools, ui
from .config import Config
from .paths import HARDWARE, VERILATOR

# SYNTHESIS takes Rocket's assertions and TileLink monitors out.
VARIANT_FLAGS = {
    "fast": ["--noassert", "+define+SYNTHESIS"],
    "checked": ["--assert"],
    "trace": ["--noassert", "+define+SYNTHESIS", "--trace-fst"],
}


def verilog(config: Config) -> Path:
    """The SoC's SystemVerilog and soc.json."""
    def make(partial: Path, log: Path) -> None:
        tools.sbt([f"runMain blockzero.soc.Emit {partial} {config.rocket} {config.port}"], log)
    sources = [HARDWARE / "build.sbt", HARDWARE / "project" / "build.properties", HARDWARE / "src" / "main"]
    return cache.build("rtl", [*sources, config.rocket, config.port], make, f"rtl: {config.rocket}, {config.port} front port, in Chisel",
                       "2 minutes")


def soc(config: Config) -> dict:
    return json.loads((verilog(config) / "soc.json").read_text())


def _memory_map(soc_: dict) -> str:
    lines = ["// Generated from soc.json.", "#pragma once", "#include <cstdint>"]
    for name, region in soc_["regions"].items():
        for field in ("base", "size"):
            lines.append(f"constexpr uint64_t k{name.capitalize()}{field.capitalize()} = {region[field]:#x};")
    lines.append(f"constexpr int kHarts = {soc_['harts']};")
    return "\n".join(lines) + "\n"


def simulator(config: Config) -> Path:
    """The simulator binary."""
    rtl = verilog(config)
    rocket = tools.rocket_verilog()
    sources = sorted(VERILATOR.glob("*.cc"))
    flags = ["--cc", "--exe", "--build", "-j", str(tools.jobs()), "--top-module", "StandaloneSoc", "--prefix", "VStandaloneSoc",
             "-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-timing", "--savable", "-Wno-fatal", "-Wno-lint", "-Wno-style",
             "-Wno-MODDUP", "--output-split", "20000", "--output-split-cfuncs", "5000", "-CFLAGS", "-O2 -std=c++17 -Wall",
             *VARIANT_FLAGS[config.variant]]

    def make(partial: Path, log: Path) -> None:
        (partial / "memory_map.h").write_text(_memory_map(soc(config)))
        generated = rocket / "generated-src" / f"freechips.rocketchip.system.{config.rocket}"
        files = [*sorted(rtl.glob("*.sv")), VERILATOR / "RetireProbe.sv", f"{generated}.v", f"{generated}.behav_srams.v",
                 rocket / "vsrc" / "plusarg_reader.v", rocket / "vsrc" / "EICG_wrapper.v", rocket / "vsrc" / "AsyncResetReg.v", *sources]
        work = partial / "obj"
        make_flags = [part for flag in tools.verilator_make() for part in ("-MAKEFLAGS", f"'{flag}'")]
        ui.run([tools.verilator(), *flags, *make_flags, "-CFLAGS", f"-I{VERILATOR} -I{partial}", "--Mdir", work, "-o", "simulator", *files],
               log, env=tools.compiler_environment())
        (work / "simulator").rename(partial / "simulator")
        ui.run(["rm", "-rf", work], log)

    inputs = [rtl.name, tools.python_environment().name, *flags, *sources, *sorted(VERILATOR.glob("*.h")), VERILATOR / "RetireProbe.sv",
              tools.version(["g++", "--version"])]
    title = f"sim: {config.rocket}, {config.port} front port, {config.variant}, with Verilator"
    return cache.build("sim", inputs, make, title, "2 minutes; 10 with assertions") / "simulator"
