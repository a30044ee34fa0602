# SPDX-License-Identifier: BSD-3-Clause
"""`make run RUN='COMMAND' FILES=PATH MODULE=FOLDER MODES=stock,engine`: a user's own program or module on the SoC, in each mode from
the same saved state."""

import json
import os
import re
import shlex
from pathlib import Path
from typing import Optional

from .. import ui
from ..building import rootfs, rtl
from ..config import Config
from ..results import report, wave
from . import follow, machine, runs, sets, workflow

CYCLES = 20_000_000  # what a command is taken to need, for the estimate
LIMIT = 20_000_000_000
BEFORE, AFTER = 1000, 3000  # cycles of a waveform around what it shows


def _path(variable: str) -> Optional[str]:
    name = os.environ.get(variable)
    if not name:
        return None
    path = Path(name).expanduser().resolve()
    if not path.exists():
        raise ui.Error(f"{variable}={name}: there is no such file or folder")
    return str(path)


def plan(*simulator: str, **choices: str) -> dict:
    """Of what RUN, FILES, MODULE and MODES say, with more options of the simulator, and choices that are not the user's."""
    command, modes = os.environ.get("RUN"), [mode for mode in (os.environ.get("MODES") or "").split(",") if mode]
    if not command or "\n" in command:
        raise ui.Error("which command? make run RUN='pft -m stock' (one line)")
    one = {"boot": "unsafe_no_zeroing" if "none" in modes else "", "choices": {}, "over": {},
           "runs": [{"name": "run", "cycles": CYCLES, "limit": LIMIT, "run": f"mode {{mode}} sh -c {shlex.quote(command)}" if modes else command,
                     "simulator": list(simulator), **({"modes": modes} if modes else {})}]}
    found = {"name": "run", **sets.plan(one, {}, {**os.environ, **choices})}
    for system in found["systems"].values():
        system["own"] = {"files": _path("FILES"), "module": _path("MODULE")}
    return found


def ratios(records: list) -> str:
    """What each mode took, relative to the first; empty for one mode."""
    found = [record for record in records if record.get("test") == "run"]
    if len(found) < 2:
        return ""
    first = found[0]
    lines = [f"{'mode':8} {'cycles':>12} {'page faults':>12} {'zeroed':>8}  relative to {first['mode']}"]
    for one in found:
        cycles = one["wall_ns"] * one["mhz"] / 1000
        lines.append(f"{one['mode']:8} {cycles:12.0f} {one['faults']:12} {one['zeroed_hit']:8}  {first['wall_ns'] / one['wall_ns']:.2f}x as fast")
    return "\n".join(lines)


def _carry_out(name: str, what: dict) -> Path:
    """The result; the console is shown as it grows."""
    return workflow.carry_out(name, what, lambda home: follow.consoles({one.split("/")[-1].removeprefix("run-"): home / "runs" / one / "console.txt"
                                                                       for one in what["runs"]}), records=False)


def run() -> None:
    """Runs it, and shows the ratio of modes."""
    result = _carry_out("run", plan())
    _, records = report.load(result)
    print(f"\n{ratios(records)}\n\nresults: {result}")


def profiled() -> Path:
    """Runs it and samples where its cycles go; the result, with a file that names what has the symbols beside it."""
    what = plan("--profile={home}/samples.txt")
    result = _carry_out("profile", what)
    ((name, system),) = what["systems"].items()
    files, vmlinux = system["own"]["files"], machine.load(result.parent / "systems" / f"{name}.json").vmlinux
    own = [path for path in sorted([Path(files), *Path(files).rglob("*")]) if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"] if files else []
    ours = [path for path in sorted(rootfs.programs().parent.iterdir()) if path.name in re.findall(r"[\w-]+", os.environ["RUN"])]
    runs.write(result.with_name("symbols.json"), json.dumps([str(path) for path in (vmlinux, *own, *ours)]) + "\n")
    return result


def _event() -> tuple:
    """What AT says: ("job" or "fault", which)."""
    found = re.fullmatch(r"(job|fault) ([1-9][0-9]*)", os.environ.get("AT") or "job 1")
    if not found:
        raise ui.Error(f"AT={os.environ['AT']}: must be like 'job 10' or 'fault 7'")
    return found[1], int(found[2])


def waved() -> None:
    """Runs it twice: to find the cycle of a job or a fault, and to write a waveform around it."""
    event, n = _event()
    first = _carry_out("events", plan("--events={home}/events.jsonl", VARIANT="trace"))
    (events,) = first.parent.rglob("events.jsonl")
    found = [one["cycle"] for one in map(json.loads, events.read_text().splitlines()) if one["event"] == event]
    if len(found) < n:
        raise ui.Error(f"AT={event} {n}: there were {len(found)} of these; a job of kscrubd's clears a block of many pages")
    begin, end = max(found[n - 1] - BEFORE, 0), found[n - 1] + AFTER
    what = plan("--trace={home}/wave.fst", f"--trace-from={begin}", f"--trace-to={end}", VARIANT="trace")
    (wave_file,) = _carry_out("wave", what).parent.rglob("wave.fst")
    config = Config.of(next(iter(what["systems"].values()))["choices"])
    save, commands = wave.write(rtl.verilog(config), rtl.soc(config)["harts"], wave_file, found[n - 1])
    print(f"\n{event} {n} is at cycle {found[n - 1]}; the waveform goes from {begin} to {end}\n\n  gtkwave {save}\n  surfer {wave_file} --command-file {commands}")
