# SPDX-License-Identifier: BSD-3-Clause
"""`make test`: everything that proves the system right. Ends with one line, 'N passed, N failed'."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from . import baremetal, bench, machine, tools, ui
from .config import Config
from .paths import BUILD, ROOT

TAP = re.compile(r"^(not )?ok (\d+)")


class Tally:
    """Counts checks and shows those that fail."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def add(self, good: bool, text: str) -> None:
        self.passed += good
        self.failed += not good
        print(f"{'ok' if good else 'NOT OK'} - {text}", flush=True)

    def tap(self, text: str, what: str, code: int) -> None:
        """Counts a console's TAP lines; fewer than its plan, or no plan, is a failure."""
        results = [match for line in text.splitlines() if (match := TAP.match(line))]
        failures = [line for line in text.splitlines() if line.startswith("not ok")]
        plan = re.search(r"^1\.\.(\d+)", text, re.M)
        for line in failures:
            print(f"    {line}")
        good = len(results) - len(failures)
        complete = plan is not None and int(plan[1]) == len(results) > 0 and code == 0
        self.passed += good
        self.failed += len(failures) + (not complete and not failures)
        print(f"{'ok' if complete and not failures else 'NOT OK'} - {what}: {good} of {plan[1] if plan else 'an unknown number'} passed"
              + ("" if code == 0 else f"; {machine.EXIT_REASONS.get(code, f'exit code {code}')}"), flush=True)


def flow(tally: Tally) -> None:
    """The flow's own tests."""
    result = subprocess.run([sys.executable, "-m", "unittest", "discover", "-s", ROOT / "sims" / "tests"], capture_output=True, text=True)
    ran = re.search(r"Ran (\d+) tests?", result.stderr)
    tally.add(result.returncode == 0 and ran is not None and int(ran[1]) > 0, f"flow: {ran[1] if ran else 'no'} unit tests")
    if result.returncode:
        print(result.stderr)


def hardware(tally: Tally) -> None:
    """ChiselSim tests on the default Chisel, and the same sources on Chipyard's."""
    log = BUILD / "log" / "sbt-test.log"
    log.unlink(missing_ok=True)
    try:
        with ui.phase("hardware: ChiselSim tests", "6 minutes"):
            tools.sbt(["test"], log, **tools.wheel_environment())
    except ui.Error as error:
        print(error)
    text = log.read_text(errors="replace")
    match = re.search(r"Tests: succeeded (\d+), failed (\d+)", text)
    for line in text.splitlines():
        if "*** FAILED ***" in line:
            print(f"    {line}")
    tally.passed += int(match[1]) if match else 0
    tally.failed += int(match[2]) if match else 1
    print(f"{'ok' if match and match[2] == '0' else 'NOT OK'} - hardware: {match[1] if match else 'no'} ChiselSim tests passed")
    try:
        with ui.phase("hardware: compiling with Chisel 6.7.0", "2 minutes"):
            tools.sbt(["compile"], BUILD / "log" / "sbt-chisel6.log", chisel="6.7.0")
        tally.add(True, "hardware: compiles with Chisel 6.7.0")
    except ui.Error as error:
        tally.add(False, f"hardware: Chisel 6.7.0: {error}")


def bare(tally: Tally, config: Config, program: str) -> Path:
    """One bare-metal program on the RTL."""
    what = f"bare metal: {program}, {config.rocket}, {config.port}, {config.variant}"
    system = machine.bare(config, baremetal.program(config, program))
    log = BUILD / "log" / f"bare-{program}-{config.rocket}-{config.port}-{config.variant}.txt"
    with ui.phase(what):
        code = machine.simulate(system, [f"--label={program}", "--max-cycles=200000000", "--progress=10"], log)
    tally.tap(log.read_text(errors="replace"), what, code)
    return log


def booted(tally: Tally, config: Config) -> None:
    """Linux with the series: zeroing right in every mode, with an engine that works, fails, hangs, or is not there."""
    for what, engine in (("with the engine", True), ("without it", False)):
        system = bench.linux(config, engine=engine)
        console = bench.run(system, ["verify"], f"verify-{'engine' if engine else 'none'}", 60_000_000, f"verify, {what}")
        tally.tap(console.read_text(errors="replace"), f"Linux: verify, {what}", 0)


def off_costs_nothing(tally: Tally, config: Config) -> None:
    """With everything off, a fault costs what it costs without the series: within 1%."""
    cost = {}
    for patched in (False, True):
        system = bench.linux(config, patched=patched)
        name = "with-series" if patched else "stock"
        console = bench.run(system, ["pft -m stock -s 1024 -r 3 -c 4:1 -c 4:64"], f"off-{name}", 20_000_000, f"fault cost, {name}")
        records = bench.records(console)
        cost[patched] = {lines: min(r["cycles"] / r["folios"] for r in records if r["lines"] == lines) for lines in (1, 64)}
    for lines in (1, 64):
        before, after = cost[False][lines], cost[True][lines]
        tally.add(after < before * 1.01, f"off: a fault with {lines} lines touched costs {after:.0f} cycles, {before:.0f} without the series "
                                         f"({(after / before - 1) * 100:+.2f}%, at most +1%)")


def run_all() -> None:
    tally = Tally()
    config = Config()
    flow(tally)
    bench.prepare(config)
    for program in ("contract", "memory", "throughput"):
        bare(tally, config, program)
    relaxed = replace(config, port="relaxed")
    for program in ("memory", "throughput"):
        bare(tally, relaxed, program)
    booted(tally, config)
    off_costs_nothing(tally, config)
    hardware(tally)
    checked = replace(config, variant="checked")
    for program in ("contract", "memory"):
        bare(tally, checked, program)
    print(f"\n{tally.passed} passed, {tally.failed} failed", flush=True)
    if tally.failed:
        raise ui.Error(f"{tally.failed} checks failed; logs: {BUILD / 'log'}")
