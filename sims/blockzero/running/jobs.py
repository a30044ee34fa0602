# SPDX-License-Identifier: BSD-3-Clause
"""One job of a set's plan, for sims/Snakefile: `python3 -m blockzero.running.jobs build|state|run NAME`, in the plan's directory."""

import json
import shutil
import sys
from pathlib import Path

from .. import processes, ui
from ..building import layout, rootfs
from ..config import Config
from ..results import cycles, locks
from . import linux, machine
from .runs import write

PROFILED = {"cycles": cycles, "locks": locks}
QUIET = 20  # seconds between two lines of a boot's progress


def _plan() -> dict:
    return json.loads(Path("plan.json").read_text())


def _put(path: Path, found: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, json.dumps(found, indent=2) + "\n")


def build(name: str) -> None:
    """Builds a system's simulator, kernel and root filesystem."""
    system = _plan()["systems"][name]
    config = Config.of({choice: str(value) for choice, value in system["choices"].items()})
    linux.prepare(config)
    if "own" in system:
        files, module = (Path(system["own"][name]) if system["own"][name] else None for name in ("files", "module"))
        soc = linux.own(config, system["boot"], files, module)
    else:
        choices = system["choices"]
        soc = linux.system(config, system["boot"], patches=layout.PATCHES[choices.get("PATCHES", "all")], padding=layout.padding(choices.get("LAYOUT", 0)))
    _put(Path(f"systems/{name}.json"), {**vars(soc), "binary": str(soc.binary)})


def state(name: str) -> None:
    """Boots a system, and types what prepares it."""
    one = _plan()["states"][name]
    soc = machine.load(Path(f"systems/{one['system']}.json"))
    if one["prepare"]:
        saved = machine.prepared(soc, linux.line([one["prepare"]]), one["asks"], QUIET)
    else:
        saved = machine.booted(soc, one["system"], QUIET)
    _put(Path(f"states/{name}.json"), {"state": str(saved)})


def run(name: str) -> None:
    """One run, from its saved state to the end of its command."""
    plan = _plan()
    one = plan["runs"][name]
    system = plan["states"][one["state"]]
    saved = json.loads(Path(f"states/{one['state']}.json").read_text())["state"]
    home = Path("runs") / name
    shutil.rmtree(home, ignore_errors=True)  # what an interrupted one left
    home.mkdir(parents=True)
    soc = machine.load(Path(f"systems/{system['system']}.json"))
    typed = one["typed"] if system["prepare"] else linux.line([one["typed"]])
    console, stats, samples = home / "console.txt", home / "stats.json", home / "samples.txt"
    options = [option.replace("{home}", str(home)) for option in one["simulator"]] + ([f"--profile={samples}"] if one["profiled"] else [])
    with open(home / "simulator.txt", "wb") as said:
        code = machine.simulate(soc, [f"--restore={saved}", f"--stats={stats}", f"--stop-at={linux.END}", "--progress=0", f"--max-cycles={one['limit']}", *options],
                                console, f"{typed}\n", stderr=said)
    machine.check(code, name, console.resolve())
    code = linux.exit_code(name, console.resolve())
    if code != 0:
        raise ui.Error(f"{name} ended with exit code {code}; console: {console.resolve()}")
    more = {"cell": name, **({"round": one["round"]} if one["round"] is not None else {}), **({"choices": one["choices"]} if one["choices"] else {})}
    records = linux.records(console)
    if one["profiled"]:
        found = PROFILED[one["profiled"]]
        records.append(found.record(samples, [soc.vmlinux, rootfs.programs().parent / found.PROGRAM]))
    write(home / "records.jsonl", "".join(json.dumps({**record, **more}) + "\n" for record in records))
    said = json.loads(stats.read_text())
    done = sum(1 for other in plan["runs"] if (Path("runs") / other / "records.jsonl").exists())
    print(f"{done:3d} of {len(plan['runs'])}  {name}: {said['cycles'] / 1e6:.1f} M cycles, {said['khz']:.0f} kHz", file=sys.stderr, flush=True)


def main() -> int:
    processes.catch_signals()
    job, name = sys.argv[1:]
    try:
        {"build": build, "state": state, "run": run}[job](name)
    except (ui.Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except processes.Stopped:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
