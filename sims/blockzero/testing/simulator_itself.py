# SPDX-License-Identifier: BSD-3-Clause
"""The simulator's own tests: what it says and does beside simulating."""

import json
import os
import pty
import termios
from dataclasses import replace

from .. import processes
from ..building import baremetal, cache, simulator, tools
from ..config import Config
from ..paths import VERILATOR
from ..results import profile
from ..running import machine
from ..running.runs import Run
from .tally import Tally

SMALL_MIB = 8
LEAST_SKIPPED = 500_000  # of the 600,000 cycles for which the sleep program waits


def _sleep(run: Run, system: machine.Machine, *options) -> tuple:
    """What a run of the sleep program until it has woken comes to, which skipping must not change; and the cycles skipped."""
    state, samples = run.home / "state", run.home / "profile"
    code = machine.simulate(system, [f"--save={state}", "--save-at=awake", f"--stats={run.stats}", f"--profile={samples}", "--progress=0", *options],
                            run.console)
    stats = json.loads(run.stats.read_text())
    result = code, stats["cycles"], stats["instructions"], run.console.read_bytes(), cache.digest([state, samples])
    state.unlink()
    return result, stats["skipped_cycles"]


def check(tally: Tally, run: Run, config: Config) -> None:
    config = replace(config, ram_mib=SMALL_MIB)

    def simulate(name: str, program: str, *arguments, **options) -> tuple:
        """Exit code and messages of a short simulation."""
        part = run.part(name)
        system = machine.bare(config, program)
        messages = part.home / "messages.txt"
        with open(messages, "wb") as err, open(part.console, "wb") as out:
            code = processes.run([system.binary, *system.arguments, *arguments], **{"stdout": out, "stderr": err, **options})
        return code, messages.read_text(errors="replace").splitlines()

    code, said = simulate("sleep", "sleep", "--hang=200000", "--max-cycles=2000000", "--progress=0")
    tally.add(code == 1 and said[0].startswith("failed with code 125:"),
              f"simulator: to wait for an interrupt is no hang, and a program's exit code is not the simulator's: {code}, {said[:1]}")

    system = machine.bare(config, "sleep")
    result, skipped = _sleep(run.part("skip"), system)
    tally.add(_sleep(run.part("no-skip"), system, "--no-skip") == (result, 0) and result[0] == 0 and skipped > LEAST_SKIPPED,
              f"simulator: to skip idle time changes nothing: {skipped} cycles skipped, {result}")

    waited = profile.fold(run.home / "skip" / "profile", [baremetal.programs() / "sleep.elf"])[("hart 0", "_start", "start", "main", "wait")]
    tally.add(waited > LEAST_SKIPPED, f"simulator: --profile finds the function that waits, and its callers: {waited} cycles")

    events = run.home / "events.jsonl"
    code, said = simulate("label", "contract", f"--events={events}", f"--label={'x' * 400}", "--expect=100000000", "--progress=1", "--max-cycles=600000")
    shown = [line for line in said if line.startswith("xx")]
    tally.add(code == simulator.MAX_CYCLES_REACHED and bool(shown) and all(" s left" in line for line in shown),
              f"simulator: a long label leaves room for the rest: {code}, {shown[:1]}")

    jobs = [json.loads(line) for line in events.read_text().splitlines()]
    tally.add(bool(jobs) and all(job["event"] == "job" and job["n"] == n for n, job in enumerate(jobs, 1)), f"simulator: --events has every job: {jobs[:1]}")

    stopped = [simulate(f"stop-{n}", "contract", f"--stop-at={text}", "--max-cycles=100000", "--progress=0")[0] for n, text in enumerate(("ok 2 ", "2 - "))]
    tally.add(stopped == [0, simulator.MAX_CYCLES_REACHED], f"simulator: --stop-at ends at a line that begins with its text, and only there: {stopped}")

    state = run.home / "state"
    saved, _ = simulate("save", "contract", f"--save={state}", "--save-at=ok 2", "--progress=0")
    code, said = simulate("restore", "contract", f"--restore={state}", f"--trace={run.home / 'wave.fst'}", "--max-cycles=10000", "--progress=0")
    state.unlink(missing_ok=True)
    tally.add(saved == 0 and code == 2 and "VARIANT=trace" in said[0], f"simulator: --trace after --restore is refused without tracing: {code}, {said[:1]}")

    program, log = run.home / "wide_shifts", run.home / "wide_shifts.txt"
    with open(log, "wb") as out:
        code = processes.run(["g++", "-std=c++17", "-O1", *tools.verilated_includes(), VERILATOR / "tests" / "wide_shifts.cc", "-o", program], stdout=out, stderr=out) \
            or processes.run([program], stdout=out)
    program.unlink(missing_ok=True)
    tally.add(code == 0, f"simulator: shifts of wide values: {log.read_text().strip().splitlines()[-1:]}")

    ours, its = pty.openpty()
    try:
        before = termios.tcgetattr(its)
        code, said = simulate("terminal", "contract", "--restore=/nowhere/state", stdin=its, stdout=its)
        tally.add(code == 2 and termios.tcgetattr(its) == before, f"simulator: a fatal error leaves the terminal as it was: {said[:1]}")
    finally:
        os.close(ours)
        os.close(its)
