# SPDX-License-Identifier: BSD-3-Clause
"""The simulator's own tests: what it says and does beside simulating."""

import os
import pty
import subprocess
import tempfile
import termios
from dataclasses import replace
from pathlib import Path

from . import machine, simulator
from .config import Config
from .tally import Tally

SMALL_MIB = 8


def check(tally: Tally, config: Config) -> None:
    config = replace(config, ram_mib=SMALL_MIB)

    def run(program: str, *arguments: str, **options) -> subprocess.CompletedProcess:
        system = machine.bare(config, program)
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options}
        return subprocess.run([system.binary, *system.arguments, *arguments], stderr=subprocess.PIPE, text=True, errors="replace", check=False, **options)

    result = run("sleep", "--hang=200000", "--max-cycles=2000000", "--progress=0")
    tally.add(result.returncode == 1 and "failed with code 125" in result.stderr,
              f"simulator: waiting for an interrupt is no hang, and a program's exit code is not the simulator's: {result.returncode}, {result.stderr.splitlines()[:1]}")

    result = run("contract", f"--label={'x' * 400}", "--expect=100000000", "--progress=1", "--max-cycles=600000")
    shown = [line for line in result.stderr.splitlines() if line.startswith("xx")]
    tally.add(result.returncode == simulator.MAX_CYCLES_REACHED and bool(shown) and all(" s left" in line for line in shown),
              f"simulator: a long label leaves room for the rest: {result.returncode}, {shown[:1]}")

    with tempfile.TemporaryDirectory() as directory:
        state, waveform = Path(directory) / "state", Path(directory) / "wave.fst"
        saved = run("contract", f"--save={state}", "--save-at=ok 2", "--progress=0")
        result = run("contract", f"--restore={state}", f"--trace={waveform}", "--max-cycles=10000", "--progress=0")
        tally.add(saved.returncode == 0 and state.exists() and result.returncode == 2 and "VARIANT=trace" in result.stderr,
                  f"simulator: --trace after --restore is refused without tracing: {result.returncode}, {result.stderr.splitlines()[:1]}")

    ours, its = pty.openpty()
    try:
        before = termios.tcgetattr(its)
        result = run("contract", "--restore=/nowhere/state", stdin=its, stdout=its)
        tally.add(result.returncode == 2 and termios.tcgetattr(its) == before, f"simulator: a fatal error leaves the terminal as it was: {result.stderr.splitlines()[:1]}")
    finally:
        os.close(ours)
        os.close(its)
