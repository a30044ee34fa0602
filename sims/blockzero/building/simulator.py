# SPDX-License-Identifier: BSD-3-Clause
"""SystemVerilog and the models of sims/verilator to a simulator binary."""

from pathlib import Path

from .. import processes, ui
from ..config import Config
from ..paths import FLOW, VERILATOR
from . import baremetal, cache, rocket, rtl, tools

# SYNTHESIS takes Rocket's assertions and TileLink monitors out.
VARIANT_FLAGS = {
    "fast": ["--noassert", "+define+SYNTHESIS"],
    "checked": ["--assert", "+define+PRINTF_COND=0", "--output-split", "20000", "--output-split-cfuncs", "5000"],
    "trace": ["--noassert", "+define+SYNTHESIS", "--trace-fst"],
}
# The fast variant is compiled twice, the second time by the profile of a run: 40% faster. With that, -O2 would add nothing but
# compile time; without, it doubles the speed of the checked one.
TRAINING = ("contract", 500_000)
OPTIMISE = {"fast": "-O1", "checked": "-O2", "trace": "-O2"}
COMPILE = "-std=c++17 -Wall"  # all there is to half of the code, that Verilator calls slow: it runs once, in the beginning
PROFILE = {"generate": " -fprofile-generate", "use": " -fprofile-use -Wno-missing-profile"}
MAX_CYCLES_REACHED = 124


def _memory_map(soc: dict) -> str:
    lines = ["// Generated from soc.json.", "#pragma once", "#include <cstdint>"]
    for name, region in soc["regions"].items():
        for field in ("base", "size"):
            lines.append(f"constexpr uint64_t k{name.capitalize()}{field.capitalize()} = {region[field]:#x};")
    lines.append(f"constexpr uint64_t kCyclesPerTick = {soc['cycles_per_tick']};")
    return "\n".join(lines) + "\n"


def _clint(harts: int) -> list:
    """Verilator's flags that tell ClintProbe.sv the names of the CLINT's registers."""
    return [f"-DHARTS={harts}", f"-DTIMECMP={{{','.join(f'timecmp_{hart}' for hart in reversed(range(harts)))}}}"]


def _train(config: Config, binary: Path, log: Path) -> None:
    """A short run that shows the compiler which code is hot."""
    program, cycles = TRAINING
    command = [binary, *baremetal.arguments(config, program), "--progress=0", f"--max-cycles={cycles}"]
    with open(log, "a", encoding="utf-8") as out:
        code = processes.run(command, stdout=out, stderr=out)
    if code != MAX_CYCLES_REACHED:
        raise ui.Error(f"the profiling run of the simulator ended early ({code}); log: {log}")


def binary(config: Config) -> Path:
    """The simulator of a configuration."""
    verilog = rtl.verilog(config)
    sources, probes = sorted(VERILATOR.glob("*.cc")), sorted(VERILATOR.glob("*.sv"))
    flags = ["--cc", "--exe", "--top-module", "StandaloneSoc", "--prefix", "VStandaloneSoc", "-O3", "--x-assign", "fast", "--x-initial", "fast",
             "--no-timing", "--savable", "--compiler-include", "wide_shifts.h", "-Wno-fatal", "-Wno-lint", "-Wno-style", *VARIANT_FLAGS[config.variant]]

    def make(partial: Path, log: Path) -> None:
        soc = rtl.soc(config)
        (partial / "memory_map.h").write_text(_memory_map(soc))
        core, *under = rocket.files(config.rocket)
        if config.port == "relaxed":
            (partial / "rocket.v").write_text(rocket.relaxed(core.read_text(), (verilog / f"{rocket.OURS}.sv").read_text()))
            core = partial / "rocket.v"
        files = [*sorted(verilog.glob("*.sv")), *probes, core, *under, *sources]
        work = partial / "obj"
        ui.run([tools.verilator(), *flags, *_clint(soc["harts"]), "-CFLAGS", f"-I{VERILATOR} -I{partial}", "--Mdir", work, "-o", "simulator", *files], log)

        def compile_(profile: str = "") -> None:
            optimise = f"{OPTIMISE[config.variant]} {COMPILE}{PROFILE.get(profile, '')}"
            ui.run(["make", "-C", work, f"-j{tools.jobs()}", "-f", "VStandaloneSoc.mk", *tools.verilator_make(), f"OPT_FAST={optimise}",
                    f"OPT_SLOW=-O0 {COMPILE}", f"OPT_GLOBAL={optimise}", f"LDFLAGS={'-fprofile-generate' if profile == 'generate' else ''}",
                    "simulator"], log)
        if config.variant == "fast":
            compile_("generate")
            _train(config, work / "simulator", log)
            for old in (*work.glob("*.o"), *work.glob("*.a"), *work.glob("*.gch"), work / "simulator"):
                old.unlink()
            compile_("use")
        else:
            compile_()
        (work / "simulator").rename(partial / "simulator")
        ui.run(["rm", "-rf", work], log)

    # Not the program of the profiling run: it decides the simulator's speed, and nothing else.
    inputs = [verilog.name, tools.python_environment().name, config.variant, *flags, FLOW / "building" / "rocket.py", *sources,
              *sorted(VERILATOR.glob("*.h")), *probes]
    title = f"sim: {config.rocket}, {config.port} front port, {config.variant}, with Verilator"
    return cache.build("sim", inputs, make, title, "3 minutes; 10 with assertions") / "simulator"
