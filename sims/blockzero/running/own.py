# SPDX-License-Identifier: BSD-3-Clause
"""`make run RUN='COMMAND' FILES=PATH MODULE=FOLDER MODES=stock,engine`: a user's own program or module on the SoC, in each mode from
the same saved state."""

import os
import shlex
from pathlib import Path
from typing import Optional

from .. import ui
from ..results import report
from . import follow, sets, workflow

CYCLES = 20_000_000  # what a command is taken to need, for the estimate
LIMIT = 20_000_000_000


def _path(variable: str) -> Optional[str]:
    name = os.environ.get(variable)
    if not name:
        return None
    path = Path(name).expanduser().resolve()
    if not path.exists():
        raise ui.Error(f"{variable}={name}: there is no such file or folder")
    return str(path)


def plan() -> dict:
    """Of what RUN, FILES, MODULE and MODES say."""
    command, modes = os.environ.get("RUN"), [mode for mode in (os.environ.get("MODES") or "").split(",") if mode]
    if not command or "\n" in command:
        raise ui.Error("which command? make run RUN='pft -m stock' (one line)")
    one = {"boot": "unsafe_no_zeroing" if "none" in modes else "", "choices": {}, "over": {},
           "runs": [{"name": "run", "cycles": CYCLES, "limit": LIMIT, "run": f"mode {{mode}} sh -c {shlex.quote(command)}" if modes else command,
                     **({"modes": modes} if modes else {})}]}
    found = {"name": "run", **sets.plan(one)}
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


def run() -> None:
    """Runs it; the console as it grows, then the ratio of modes."""
    what = plan()
    result = workflow.carry_out("run", what, lambda home: follow.consoles({name.split("/")[-1].removeprefix("run-"): home / "runs" / name / "console.txt"
                                                                          for name in what["runs"]}))
    _, records = report.load(result)
    print(f"\n{ratios(records)}\n\nresults: {result}")
