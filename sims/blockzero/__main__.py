# SPDX-License-Identifier: BSD-3-Clause
"""The command line behind the Makefile: `bz COMMAND`."""

import os
import signal
import sys

from . import baremetal, chipyard, firesim, kernel, processes, rtl, simulator, tally, tools, ui
from .config import Config, number
from .paths import BUILD


NEEDS_NOTHING = ("setup", "report", "publish", "chipyard-link", "chipyard-unlink", "firesim-results")  # to be set up


def _in_tools_python(command: str) -> None:
    """Goes on in the Python that has matplotlib."""
    python = tools.python_environment() / "bin" / "python"
    if sys.prefix == sys.base_prefix:
        sys.exit(processes.run([python, "-m", "blockzero", command], env=os.environ))


def _report() -> None:
    _in_tools_python("report")
    from . import report  # pylint: disable=import-outside-toplevel
    report.write()


def _publish() -> None:
    _in_tools_python("publish")
    from . import clearing, layouts, report, rivals  # pylint: disable=import-outside-toplevel
    written = [*clearing.publish(), *report.publish(), *rivals.publish(), *layouts.publish()]
    if not written:
        raise ui.Error("there are no results yet; run 'make bench'")
    print("written:", *written, sep="\n  ")


def _registers() -> None:
    log = BUILD / "log" / "registers.log"
    tools.sbt(["runMain blockzero.GenerateRegisters .."], log)


def _commands() -> dict:
    from . import bench, checks, layouts, rivals, stress  # pylint: disable=import-outside-toplevel

    def faults(large: bool) -> None:
        bench.faults(Config.from_environment(), large)
        _report()

    return {
        "setup": tools.setup,
        "all": lambda: faults(large=False),
        "rtl": lambda: print(rtl.verilog(Config.from_environment())),
        "sim": lambda: print(simulator.binary(Config.from_environment())),
        "linux": lambda: print(kernel.image(Config.from_environment().smp)),
        "linux-elf": lambda: print(bench.elf(Config.from_environment(), os.environ.get("RUN") or "faults", number("RAM", 40, 40, 1024))),
        "linux-tree": kernel.open_tree,
        "linux-series": kernel.write_series,
        "boot": lambda: bench.interactive(Config.from_environment()),
        "bench": lambda: faults(large=True),
        "bench-rivals": rivals.run,
        "bench-layouts": layouts.run,
        "report": _report,
        "publish": _publish,
        "registers": _registers,
        "baremetal": lambda: print(*sorted(baremetal.programs().glob("*.elf")), sep="\n"),
        "chipyard-link": chipyard.link,
        "chipyard-unlink": chipyard.unlink,
        "test-chipyard": chipyard.test,
        "firesim": firesim.workloads,
        "firesim-results": firesim.results,
        "stress": lambda: stress.run(60 * number("MINUTES", 2, 1, 1000), tally.seed()),
        "test": lambda: checks.run_all(),
    }


def main() -> int:
    commands = _commands()
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(f"error: usage: bz COMMAND, one of {', '.join(commands)}; 'make help' explains", file=sys.stderr)
        return 2
    processes.catch_signals()
    try:
        if sys.argv[1] not in NEEDS_NOTHING:
            Config.from_environment()  # a bad choice is said before anything is set up
            tools.setup()
        commands[sys.argv[1]]()
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
