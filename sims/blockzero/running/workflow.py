# SPDX-License-Identifier: BSD-3-Clause
"""Carries out a set's plan by Snakemake: as many runs at a time as there are cores, those alone that have not ended before."""

import json
import os
import shlex
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Optional

from .. import processes, ui
from ..building import cache, tools
from ..config import Config
from ..paths import FLOW
from . import linux, machine, provenance, runs

KHZ = {False: 220, True: 80}  # of a simulation on one core of a recent machine, for estimates; with one hart and with four


def _config(system: dict) -> Config:
    return Config.of({name: str(value) for name, value in system["choices"].items()})


def estimate(plan: dict) -> str:
    """What there is to do, for people."""
    smp = {name: _config(system).smp for name, system in plan["systems"].items()}
    cycles = sum(run["cycles"] for run in plan["runs"].values())
    seconds = sum(run["cycles"] / KHZ[smp[plan["states"][run["state"]]["system"]]] / 1e3 for run in plan["runs"].values())
    boots = sum(machine.BOOT[smp[name]][0] for name in plan["systems"])
    return (f"{len(plan['runs'])} runs of {cycles / 1e6:.0f} M cycles in all, about {seconds / tools.jobs() / 60:.0f} minutes on {tools.jobs()} cores; "
            f"before them, unless saved, {len(plan['systems'])} boots of {boots / 1e6:.0f} M and {sum(1 for s in plan['states'].values() if s['prepare'])} preparations")


def _snakemake(home: Path, log, cores: int) -> int:
    python = tools.python_environment() / "bin" / "python"
    job = f"setpriv --pdeathsig KILL {sys.executable} -m blockzero.running.jobs"
    command = [python, "-m", "snakemake", "--snakefile", FLOW.parent / "Snakefile", "--directory", home, "--cores", str(cores), "--config", f"job={job}",
               "--quiet", "all", "--nolock", "--rerun-incomplete", "--rerun-triggers", "mtime", "--keep-going", *shlex.split(os.environ.get("SNAKEMAKE") or "")]
    return processes.run(command, env={**processes.environment(), "PYTHONPATH": str(FLOW.parent), "PYTHONDONTWRITEBYTECODE": "1"}, stdout=log, stderr=None)


def carry_out(name: str, plan: dict, shown: Callable = lambda home: nullcontext(), cores: Optional[int] = None,
              records: bool = True) -> Path:
    """The result file of all of a plan's runs. What was stopped before is gone on with.

    `shown` makes a context in which they are made; `cores` says how many at a time, if not as many as there are; `records`, if there must
    be any.
    """
    before = provenance.repository()
    config = _config(next(iter(plan["systems"].values())))
    ui.say(f"{name}: {estimate(plan)}")
    linux.prepare(config)
    origin = {**provenance.standalone(config), "set": plan["name"], **({"over": plan["over"]} if plan["over"] else {}), "plan": cache.digest([json.dumps(plan)])}
    with cache.locked(f"run-{name}-{origin['plan']}"):
        run = runs.unfinished(name, before, origin)
        if run:
            ui.say(f"{name}: goes on with {run.home}")
        else:
            run = runs.new(name, before, origin)
        runs.write(run.home / "plan.json", json.dumps(plan, indent=2) + "\n")
        with open(run.home / "snakemake.txt", "wb") as log, shown(run.home):
            code = _snakemake(run.home, log, cores or tools.jobs())
        files = [run.home / "runs" / one / "records.jsonl" for one in plan["runs"]]
        ended = [path for path in files if path.exists()]
        if code != 0 or len(ended) < len(files):
            raise ui.Error(f"{name}: {len(ended)} of {len(files)} runs ended; the same command goes on with the others; {run.home}")
        run.starts()
        return run.keep([json.loads(line) for path in files for line in path.read_text().splitlines()], records)
