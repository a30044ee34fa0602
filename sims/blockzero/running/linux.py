# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands at the prompt of the simulated machine and keeps the records they print."""

import json
import re
import sys
from pathlib import Path
from typing import Optional

from .. import processes, ui
from ..building import firmware, kernel, rootfs, simulator
from ..config import Config
from ..joining import buildroot
from . import machine, runs

BOOTARGS = "console=ttyS0 quiet norandmaps"  # where a mapping lies decides how many page tables are made for it
END = "run: ended with exit code "  # what the console shows last of its commands; /init says the same of run=, and pft -w itself
ENDED = re.compile(rf"^{END}(\d+)", re.M)


def system(config: Config, bootargs: str = "", engine: bool = True, patches: Optional[int] = None, more: tuple = (),
           padding: tuple = ()) -> machine.Machine:
    """Linux to boot; the kernel's arguments as of kernel.image()."""
    image = kernel.image(config.smp, patches, more, padding=padding) / "Image"
    return machine.linux(config, image, rootfs.initramfs(), f"{BOOTARGS} {bootargs}".strip(), engine)


def own(config: Config, bootargs: str, files: Optional[Path], module: Optional[Path]) -> machine.Machine:
    """The same with files of a user's, and with the modules that a folder builds."""
    image = (kernel.with_modules(config.smp) if module else kernel.image(config.smp)) / "Image"
    modules = kernel.modules(module, config.smp) if module else []
    return machine.linux(config, image, rootfs.initramfs((*([files] if files else []), *modules)), f"{BOOTARGS} {bootargs}".strip())


def elf(config: Config, command: str, memory_mib: int) -> Path:
    """OpenSBI, Linux and its initramfs in one ELF file for Chipyard and FireSim; runs `command` and powers off."""
    initramfs = rootfs.initramfs()
    if '"' in command:
        raise ui.Error(f"RUN={command}: no double quotes, please; single ones do")
    lines = (f'CONFIG_INITRAMFS_SOURCE="{initramfs}"\n'
             f'CONFIG_CMDLINE="console=ttySIF0,3686400 quiet unsafe_no_zeroing mem={memory_mib}M \\"run={command}\\""\n')
    return firmware.payload(kernel.image(config.smp, more=("linux-chipyard.config",), lines=lines) / "Image")


def line(commands: list) -> str:
    """What is typed to run commands, each only if the one before ended well, and to show how the last one ended."""
    return f'{" && ".join(commands)}; echo "{END}$?"'


def exit_code(what: str, console: Path) -> int:
    """How the commands ended, by what the console shows."""
    ended = ENDED.search(console.read_text(errors="replace"))
    if not ended:
        raise ui.Error(f"{what} did not run to its end; console: {console}")
    return int(ended[1])


def typed(run: runs.Run, soc: machine.Machine, commands: list, expect: int, what: str, progress: int = ui.PROGRESS) -> int:
    """Boots (or restores) a machine and types commands; their exit code."""
    state = machine.booted(soc, what, progress)
    run.starts()
    with ui.phase(f"{run.name}: {what}", f"{expect // 200_000 // 60 + 1} minutes"):
        code = machine.simulate(soc, [f"--restore={state}", f"--label={run.name}", f"--expect={expect}", f"--stats={run.stats}",
                                      f"--stop-at={END}", f"--max-cycles={10 * expect}", f"--progress={progress}"], run.console, f"{line(commands)}\n")
    machine.check(code, run.name, run.console)
    return exit_code(run.name, run.console)


def records(console: Path) -> list:
    """The JSON lines among a console's output."""
    found = []
    for line in console.read_text(errors="replace").splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                raise ui.Error(f"a damaged record in {console}: {line[:80]}") from None
    return found


def prepare(config: Config) -> None:
    """Builds hardware and software side by side: elaboration and Verilation use one core, the kernel the other."""
    with processes.pool(2) as submit:
        for task in [submit(simulator.binary, config), submit(lambda: (kernel.image(config.smp), rootfs.initramfs()))]:
            task.result()


def interactive(config: Config) -> None:
    """A shell on the simulated SoC, on this terminal; of Buildroot's image, where IMAGES says so.

    Without a terminal, what standard input has is typed, and then 'poweroff'.
    """
    piped = None if sys.stdin and sys.stdin.isatty() else f"{sys.stdin.read() if sys.stdin else ''}\npoweroff\n"
    image = buildroot.image()
    if image:
        soc = machine.linux(config, image, None, BOOTARGS)
    else:
        prepare(config)
        soc = system(config)
    state = machine.booted(soc, "to the shell")
    command = [soc.binary, *soc.arguments, f"--restore={state}"]
    if piped is None:
        ui.say("the SoC's shell follows; 'poweroff' or Ctrl-A x ends it")
        code = processes.foreground(command)
    else:
        code = processes.run(command, piped.encode())
    if code not in (0, 130):
        raise ui.Error(f"the simulator ended with exit code {code}")
