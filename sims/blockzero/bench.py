# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands at the prompt of the simulated machine and keeps the records they print."""

import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Optional

from . import buildroot, firmware, kernel, machine, provenance, rootfs, simulator, ui
from .config import Config
from .paths import BUILD

BOOTARGS = "console=ttyS0 quiet norandmaps"  # where a mapping lies decides how many page tables are made for it


def linux(config: Config, bootargs: str = "", engine: bool = True, patches: Optional[int] = None, more: tuple = (),
          padding: tuple = ()) -> machine.Machine:
    image = kernel.image(config.smp, patches, more, padding=padding) / "Image"
    return machine.linux(config, image, rootfs.initramfs(), f"{BOOTARGS} {bootargs}".strip(), engine)


def elf(config: Config, command: str, memory_mib: int) -> Path:
    """OpenSBI, Linux and its initramfs in one ELF file for Chipyard and FireSim; runs `command` and powers off."""
    initramfs = rootfs.initramfs()
    if '"' in command:
        raise ui.Error(f"RUN={command}: no double quotes, please; single ones do")
    lines = (f'CONFIG_INITRAMFS_SOURCE="{initramfs}"\n'
             f'CONFIG_CMDLINE="console=ttySIF0,3686400 quiet unsafe_no_zeroing mem={memory_mib}M \\"run={command}\\""\n')
    return firmware.payload(kernel.image(config.smp, more=("linux-chipyard.config",), lines=lines) / "Image")


def run(system: machine.Machine, commands: list, name: str, expect: int, what: str, progress: int = ui.PROGRESS) -> Path:
    """Boots (or restores) a machine, types commands, powers it off; the console's log."""
    state = machine.booted(system, what, progress) / "state"
    console = BUILD / "log" / f"{name}-console.txt"
    stats = BUILD / "log" / f"{name}-stats.json"
    with ui.phase(f"{name}: {what}", f"{expect // 200_000 // 60 + 1} minutes"):
        code = machine.simulate(system, [f"--restore={state}", f"--label={name}", f"--expect={expect}", f"--stats={stats}",
                                          f"--max-cycles={10 * expect}", f"--progress={progress}"], console,
                                "".join(f"{command}\n" for command in [*commands, "poweroff"]))
    machine.check(code, f"{name}", console)
    return console


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


def keep(origin: dict, name: str, found: list) -> Path:
    """Writes a result file: `origin`, of provenance.py, first."""
    if not found:
        raise ui.Error(f"{name} printed no results; console: {BUILD / 'log' / f'{name}-console.txt'}")
    results = BUILD / "results"
    results.mkdir(parents=True, exist_ok=True)
    path = results / f"{time.strftime('%Y%m%d-%H%M%S')}-{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [{"provenance": origin}, *found]))
    return path


def prepare(config: Config) -> None:
    """Builds hardware and software side by side: elaboration and Verilation use one core, the kernel the other."""
    with ThreadPoolExecutor(2) as pool:
        for task in [pool.submit(simulator.binary, config), pool.submit(lambda: (kernel.image(config.smp), rootfs.initramfs()))]:
            task.result()


def faults(config: Config, large: bool = False) -> Path:
    """The comparison of fault rates, all modes in one boot; of base pages, and of large folios, which take as long again."""
    prepare(config)
    system = linux(config, "unsafe_no_zeroing")
    commands, cycles = (["faults", "faults-large"], 730_000_000) if large else (["faults"], 400_000_000)
    console = run(system, commands, "bench", cycles, "fault rates, all modes in one boot")
    return keep(provenance.standalone(config), "bench", records(console))


def interactive(config: Config) -> None:
    """A shell on the simulated SoC, on this terminal; of Buildroot's image, where IMAGES says so."""
    image = buildroot.image()
    if image:
        system = machine.linux(config, image, None, BOOTARGS)
    else:
        prepare(config)
        system = linux(config)
    state = machine.booted(system, "to the shell") / "state"
    ui.say("the SoC's shell follows; 'poweroff' or Ctrl-A x ends it")
    code = subprocess.run([system.binary, *system.arguments, f"--restore={state}"]).returncode
    if code not in (0, 130):
        raise ui.Error(f"the simulator ended with exit code {code}")
