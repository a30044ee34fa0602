# SPDX-License-Identifier: BSD-3-Clause
"""The command line behind the Makefile: `bz COMMAND`."""

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from . import processes, ui
from .building import baremetal, kernel, rtl, simulator, tools
from .config import CHOICES, ENGINE, HARDWARE, Config, number
from .joining import chipyard, firesim, litex
from .paths import BUILD
from .testing import tally


NEEDS_NOTHING = ("setup", "show", "compare", "report", "publish", "chipyard-link", "chipyard-unlink", "firesim-results")  # to be set up


def _in_tools_python(command: str, **environment: str) -> None:
    """Goes on in the Python that has matplotlib."""
    python = tools.python_environment() / "bin" / "python"
    if sys.prefix == sys.base_prefix:
        mine = {name: value for name, value in os.environ.items() if name not in CHOICES}
        sys.exit(processes.run([python, "-m", "blockzero", command], env={**mine, **environment}))


def _results(function: str) -> Callable:
    """A function `module.name` of results/, which may plot."""
    def run() -> None:
        _in_tools_python(sys.argv[1])
        module, name = function.split(".")
        getattr(import_module(f".results.{module}", __package__), name)()
    return run


def _registers() -> None:
    if sys.prefix == sys.base_prefix:
        tools.sbt(["runMain blockzero.GenerateRegisters ..", "testOnly blockzero.JobDiagramSpec"], BUILD / "log" / "registers.log",
                  DIAGRAM="write", **tools.wheel_environment())
    _results("diagram.draw")()


def _commands() -> dict:
    """{command: (its function, what it takes of CHOICES)}."""
    from .running import linux, own, sets, workflow  # pylint: disable=import-outside-toplevel
    from .testing import checks, stress  # pylint: disable=import-outside-toplevel

    def runs(default: str, over: bool = False) -> None:
        name = os.environ.get("SET") or default
        plan = sets.plan(sets.load(sets.path_of(name)), sets.varied(os.environ.get("OVER") or "", over))
        stem = Path(name).stem
        if os.environ.get("DRY_RUN"):
            print(workflow.estimate(plan))
            return
        result = workflow.carry_out(f"sweep-{stem}" if over else stem, {"name": stem, **plan})
        _in_tools_python("show", RESULTS=str(result))

    def elf() -> Path:
        return linux.elf(Config.from_environment(), os.environ.get("RUN") or "faults", number("RAM", 40, 40, 1024))

    return {
        "setup": (tools.setup, ()),
        "all": (lambda: runs("table"), CHOICES),
        "rtl": (lambda: print(rtl.verilog(Config.from_environment())), HARDWARE),
        "sim": (lambda: print(simulator.binary(Config.from_environment())), (*HARDWARE, "VARIANT")),
        "linux": (lambda: print(kernel.image(Config.from_environment().smp)), ("CONFIG",)),
        "linux-elf": (lambda: print(elf()), ("CONFIG", "RAM")),
        "linux-tree": (kernel.open_tree, ()),
        "linux-series": (kernel.write_series, ()),
        "boot": (lambda: linux.interactive(Config.from_environment()), CHOICES),
        "bench": (lambda: runs("faults"), CHOICES),
        "sweep": (lambda: runs("table", over=True), CHOICES),
        "run": (own.run, CHOICES),
        "profile": (lambda: _in_tools_python("show", RESULTS=str(own.profiled())), CHOICES),
        "wave": (own.waved, tuple(name for name in CHOICES if name != "VARIANT")),
        "show": (_results("show.show"), ()),
        "compare": (_results("compare.write"), ()),
        "report": (_results("html.make"), ()),
        "publish": (_results("publish.publish"), ()),
        "registers": (_registers, ()),
        "area": (lambda: import_module(".results.area", __package__).measure(), ()),
        "prove": (lambda: import_module(".results.proofs", __package__).measure(), ()),
        "bare": (checks.run_bare, CHOICES),
        "baremetal": (lambda: print(*sorted(baremetal.programs().glob("*.elf")), sep="\n"), ()),
        "chipyard-link": (chipyard.link, ()),
        "chipyard-unlink": (chipyard.unlink, ()),
        "test-chipyard": (chipyard.test, ()),
        "chipyard-faults": (lambda: import_module(".joining.faults", __package__).measure(), ("CONFIG",)),
        "litex-sim": (litex.simulate, ENGINE),
        "tile": (lambda: print(litex.tile(Config.from_environment())), ENGINE),
        "firesim": (firesim.workloads, ()),
        "firesim-results": (firesim.results, ()),
        "stress": (lambda: stress.by_itself(60 * number("MINUTES", 2, 1, 1000), tally.seed()), ()),
        "test": (checks.run_all, ()),
    }


def _run(command: str, function, takes: tuple) -> None:
    ignored = [name for name in CHOICES if os.environ.get(name) and name not in takes]
    if ignored:
        raise ui.Error(f"'make {command}' takes {', '.join(takes) or 'none of the choices'}, and not {', '.join(ignored)}")
    if command not in NEEDS_NOTHING:
        Config.from_environment()  # a bad choice is said before anything is set up
        tools.setup()
    function()


def main() -> int:
    commands = _commands()
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(f"error: usage: bz COMMAND, one of {', '.join(commands)}; 'make help' explains", file=sys.stderr)
        return 2
    processes.catch_signals()
    try:
        _run(sys.argv[1], *commands[sys.argv[1]])
    except ui.Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except processes.Stopped as stopped:
        print("\nstopped; nothing is left running, or half built", file=sys.stderr)
        return 128 + next(iter(stopped.args), signal.SIGINT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # a full disk, say
        print(f"error: {error.strerror or error}{f': {error.filename}' if error.filename else ''}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
