# SPDX-License-Identifier: BSD-3-Clause
"""What FireSim's manager runs: workloads in a user's FireSim, made and linked; tables from what it brings back."""

import json
import os
import shutil
from pathlib import Path

from .. import ui
from ..building import baremetal
from ..config import Config
from ..paths import BUILD
from ..results import report
from ..running import linux, provenance, runs
from ..testing.tally import Tally
from . import chipyard

HOME = BUILD / "firesim"  # what FireSim's deploy/workloads is linked to
NAME = "blockzero"
MEMORY_MIB = 512
FAULTS = "pft -r 3 -s 2048 -c 4:1 -c 4:64 -c 16:1 -c 64:1 -c 2048:1 -c 4:1:10 && scrub"


def _programs() -> dict:
    """{name of a workload: the ELF file it boots}."""
    return {**{name: baremetal.programs() / f"{name}.elf" for name in chipyard.PROGRAMS},
            "faults": linux.elf(Config(), FAULTS, MEMORY_MIB),
            "faults-smp": linux.elf(Config(rocket="LitexFull4DConfig"), FAULTS, MEMORY_MIB)}


def _write(programs: dict) -> list:
    """The workloads as FireSim's manager reads them; one more has every bare-metal test, each on a simulation of its own."""
    (HOME / NAME).mkdir(parents=True, exist_ok=True)
    common = {"benchmark_name": NAME, "common_rootfs": None, "common_outputs": [], "common_simulation_outputs": ["uartlog"]}
    workloads = {name: {**common, "common_bootbinary": f"{name}.elf"} for name in programs}
    workloads["tests"] = {**common, "workloads": [{"name": name, "bootbinary": f"{name}.elf"} for name in chipyard.PROGRAMS]}
    for name, program in programs.items():
        shutil.copy(program, HOME / NAME / f"{name}.elf")
    for name, workload in workloads.items():
        (HOME / f"{NAME}-{name}.json").write_text(json.dumps(workload, indent=2) + "\n")
    return [HOME / NAME, *(HOME / f"{NAME}-{name}.json" for name in workloads)]


def workloads() -> None:
    """Builds what the workloads boot, and links them into the FireSim of the user's Chipyard."""
    place = chipyard.checkout() / "sims" / "firesim" / "deploy" / "workloads"
    if not place.is_dir():
        raise ui.Error(f"there is no FireSim in {place.parents[3]}: run its build-setup.sh without skipping it")
    for target in _write(_programs()):
        chipyard.link_one(place / target.name, target)
    print("workloads: " + ", ".join(sorted(path.stem for path in HOME.glob("*.json"))) + "\nWhat to type next: docs/firesim.md")


def _judge(tally: Tally, log: Path) -> None:
    """Did this job run to its end, and well? FireSim itself says PASSED of one that was stopped."""
    text = log.read_text(errors="replace")
    ended = linux.ENDED.search(text)
    if ended:
        tally.add(ended[1] == "0", f"{log.parent.name}: its command ended with exit code {ended[1]}")
    else:
        tally.tap(text, log.parent.name, 0)


def results() -> None:
    """Verdict and tables of what the manager brought back; a result file, where TARGET names the recipe and all is well."""
    name = os.environ.get("RESULTS")
    if not name:
        raise ui.Error("which results? Say RESULTS=<a folder of FireSim's deploy/results-workload>")
    logs = sorted(Path(name).expanduser().rglob("uartlog"))
    if not logs:
        raise ui.Error(f"{name} has no uartlog in it")
    tally = Tally()
    for log in logs:
        _judge(tally, log)
    found = [{"job": log.parent.name, **record} for log in logs for record in linux.records(log)]
    target = os.environ.get("TARGET")
    if target and found and not tally.failed:
        root = chipyard.checkout()
        kind = "faults" if any(record["test"] == "pft" for record in found) else "firesim"
        run = runs.new(f"{kind}-{target}", provenance.repository(), provenance.firesim(root, target))
        print(f"results: {run.keep(found)}")
    table = report.collect(found)
    if table:
        print(f"\nPage faults a millisecond at 100 MHz, and the ratio to stock:\n\n{report.terminal(table)}\n")
    for record in found:
        if record["test"] != "pft":
            print(" ".join(f"{key}={value}" for key, value in record.items()))
    tally.verdict(Path(name))
