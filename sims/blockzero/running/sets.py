# SPDX-License-Identifier: BSD-3-Clause
"""Sets of runs, as files of sims/sets or the user's own describe them, and their plans: each system, saved state and run by name.

A set is a TOML file:

    include = ["table"]                    other sets whose runs are in it as well
    boot = "unsafe_no_zeroing"             arguments for the kernel
    choices = { RAM = 32 }                 of the system, where the user makes none
    over = { READ_LATENCY = [10, 30] }     choices that are varied; every run is made with each
    [[runs]]
    name = "faults"
    prepare = "pft -w"                     typed once; when `asks` is on the console the state is saved for all runs
    asks = "pft: mode and round?"
    modes = ["stock", "engine"]            one run for each, {mode} in what is typed
    rounds = 3                             and for each of these, {round}
    run = "{mode} {round}"                 what is typed
    cycles = 4_000_000                     that it takes, for the estimate
    limit = 80_000_000                     that it may take; 20 times as many if not said
    simulator = ["--profile={home}/x"]     more options of the simulator; {home} is the run's directory
    profiled = "cycles"                    its records have the cycles of pft's faults by stage and by function, too; "locks": those of
                                           churn's tasks that take the allocator's and the LRU's locks
    when = { READ_LATENCY = [10] }         made alone with these values of what is varied
"""

import itertools
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from .. import ui
from ..config import CHOICES, Config
from ..paths import ROOT

SETS = ROOT / "sims" / "sets"
OF_A_SET = {"include", "boot", "choices", "over", "runs"}
OF_A_SYSTEM = (*CHOICES, "LAYOUT", "PATCHES")  # the last two are of the kernel, and varied alone
OF_A_RUN = {"name", "when", "prepare", "asks", "modes", "rounds", "run", "cycles", "limit", "simulator", "profiled"}
PROFILED = (None, "cycles", "locks")  # modules of results, which make a record of a profile


def path_of(name: str) -> Path:
    """The file of a set: a name in sims/sets, or a path."""
    for path in (SETS / f"{name}.toml", Path(name).expanduser()):
        if path.is_file():
            return path
    raise ui.Error(f"SET={name}: must be a file, or one of {', '.join(sorted(p.stem for p in SETS.glob('*.toml')))}")


def _check(what: str, have: Mapping, known: set, needed: set) -> None:
    unknown, missing = set(have) - known, needed - set(have)
    if unknown or missing:
        raise ui.Error(f"{what}: " + "; ".join([f"'{name}' is not known" for name in sorted(unknown)] + [f"'{name}' is missing" for name in sorted(missing)]))


def load(path: Path) -> dict:
    """A set with all that it includes; an Error names what is wrong with the file."""
    try:
        found = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise ui.Error(f"{path}: {error}") from None
    _check(str(path), found, OF_A_SET, set())
    runs = [run for name in found.get("include", []) for run in load(path_of(name))["runs"]] + found.get("runs", [])
    for run in runs:
        _check(f"{path}, run '{run.get('name', '?')}'", run, OF_A_RUN, {"name", "run", "cycles"} | ({"asks"} if "prepare" in run else set()))
        if run.get("profiled") not in PROFILED:
            raise ui.Error(f"{path}, run '{run['name']}': profiled must be one of {', '.join(filter(None, PROFILED))}")
    names = [run["name"] for run in runs]
    if not runs or len(set(names)) < len(names):
        raise ui.Error(f"{path}: there must be runs, each of another name")
    _check(f"{path}, choices", found.get("choices", {}), set(CHOICES), set())
    return {"boot": "", "choices": {}, "over": {}, **found, "runs": runs}


def varied(text: str, needed: bool = False) -> dict:
    """{choice: values} of OVER='READ_LATENCY=10,30 INFLIGHT=1,4'."""
    if needed and not text:
        raise ui.Error("a sweep over what? make sweep OVER='READ_LATENCY=10,30,60 PORT=ordered,relaxed'")
    found = {}
    for part in text.split():
        name, _, values = part.partition("=")
        if name not in OF_A_SYSTEM or not values:
            raise ui.Error(f"OVER={text}: '{part}' must be CHOICE=VALUE,VALUE..., CHOICE one of {', '.join(OF_A_SYSTEM)}")
        found[name] = [int(value) if value.isascii() and value.isdigit() else value for value in values.split(",")]
    return found


def _label(choices: Mapping) -> str:
    return ",".join(f"{name}={value}" for name, value in choices.items())


def _systems(one: dict, over: Mapping, chosen: Mapping) -> dict:
    """{its name: a system} of every combination of what is varied."""
    fixed = {**one["choices"], **{name: chosen[name] for name in CHOICES if chosen.get(name)}}
    found = {}
    for values in itertools.product(*over.values()):
        point = dict(zip(over, values))
        system = {**fixed, **point}
        Config.of({name: str(value) for name, value in system.items()})  # an Error now, not after the other runs
        found[_label(point) or "soc"] = {"choices": system, "varied": point, "boot": one["boot"]}
    return found


def _times(run: Mapping) -> Iterable:
    """(mode, round) of each time that a run is made; None for what it does not vary."""
    return itertools.product(run.get("modes", [None]), range(run["rounds"]) if "rounds" in run else [None])


def plan(one: dict, over: Mapping = {}, chosen: Mapping = os.environ) -> dict:  # pylint: disable=dangerous-default-value
    """{"systems", "states", "runs"}, each {name: what it is}; the names are of directories too. `over` is varied beside what the set varies."""
    over = {**one["over"], **over}
    systems = _systems(one, over, chosen)
    found = {"over": over, "systems": systems, "states": {}, "runs": {}}
    for system, run in itertools.product(systems, one["runs"]):
        if any(systems[system]["varied"].get(name) not in values for name, values in run.get("when", {}).items()):
            continue
        begins = {"system": system, "prepare": run.get("prepare"), "asks": run.get("asks")}
        state = next((name for name, other in found["states"].items() if other == begins), f"{system}/{run['name'] if begins['prepare'] else 'prompt'}")
        found["states"][state] = begins
        for mode, round_ in _times(run):
            name = "-".join([run["name"], *([mode] if mode else []), *([str(round_ + 1)] if round_ is not None else [])])
            typed = run["run"].replace("{mode}", mode or "").replace("{round}", str(round_ or 0))
            found["runs"][f"{system}/{name}"] = {"state": state, "typed": typed, "cycles": run["cycles"], "limit": run.get("limit", 20 * run["cycles"]), "round": round_,
                                                 "simulator": run.get("simulator", []), "profiled": run.get("profiled"),
                                                 "choices": systems[system]["varied"]}
    return found
