# SPDX-License-Identifier: BSD-3-Clause
"""A system ready to run: simulator, images and where they go in memory."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Optional

from .. import processes, ui
from ..building import baremetal, cache, firmware, rtl, simulator
from ..config import Config

PROMPT = "blockzero# "

EXIT_REASONS = {124: "did not end within the cycles it was given", 125: "hung: no instruction retired", 126: "failed an assertion in the RTL",
                130: "was stopped"}

BOOT = {False: (33_000_000, "3 minutes"), True: (50_000_000, "15 minutes")}  # to the shell, on one core and on four


@dataclass(frozen=True)
class Machine:
    """`arguments` of the simulator `binary`; `key` names their content, but for `timing`, the DRAM's.

    Linux boots at the DRAM's default timing, so that systems that differ in nothing else begin at the same state.
    """

    binary: Path
    arguments: list
    timing: list
    key: str
    smp: bool

    @property
    def vmlinux(self) -> Path:
        """The kernel with its symbols."""
        return next(Path(argument.removeprefix("--load=").split("@")[0]) for argument in self.arguments if "/Image@" in argument).with_name("vmlinux")


def load(path: Path) -> Machine:
    """The machine that a set's build wrote into a file."""
    found = json.loads(path.read_text())
    return Machine(**{**found, "binary": Path(found["binary"])})


def _timing(config: Config) -> list:
    return [f"--read-latency={config.read_latency}", f"--write-latency={config.write_latency}", f"--bandwidth={config.bandwidth}"]


def bare(config: Config, program: str) -> Machine:
    """A bare-metal program of sw/baremetal."""
    arguments = baremetal.arguments(config, program)
    return Machine(simulator.binary(config), arguments, _timing(config), cache.digest(arguments), config.smp)


def linux(config: Config, image: Path, initramfs: Optional[Path], bootargs: str, engine: bool = True) -> Machine:
    """OpenSBI, a kernel image, an initramfs (None: the image has one in it) and a device tree."""
    soc = rtl.soc(config)
    ram, ram_bytes = soc["regions"]["ram"]["base"], config.ram_mib << 20
    initrd_size = initramfs.stat().st_size if initramfs else 0
    initrd = ram + ram_bytes - (initrd_size + 0xfffff & ~0xfffff)
    rom = firmware.boot_rom(soc, ram_bytes, linux=True)
    dtb = firmware.device_tree(soc, ram_bytes, bootargs, (initrd, initrd + initrd_size), engine)
    images = {firmware.opensbi(): ram, dtb: ram + firmware.DTB_OFFSET, image: ram + firmware.NEXT_OFFSET}
    if initramfs:
        images[initramfs] = initrd
    arguments = [f"--bootrom={rom}", *(f"--load={path}@{address:#x}" for path, address in images.items()),
                 f"--ram={config.ram_mib}"]
    binary = simulator.binary(config)
    return Machine(binary, arguments, _timing(config), cache.digest([binary.parent.name, rom, *images, *arguments]), config.smp)


def simulate(machine: Machine, arguments: list, console: Path, typed: str = "", **options) -> int:
    """Runs to the end, console to a file, progress to the terminal, or as subprocess's options say; the simulator's exit code."""
    with open(console, "wb") as out:
        return processes.run([machine.binary, *machine.arguments, *machine.timing, *arguments], typed.encode(), stdout=out, **options)


def check(code: int, what: str, console: Path) -> None:
    if code != 0:
        raise ui.Error(f"{what} {EXIT_REASONS.get(code, f'ended with exit code {code}')}; console: {console}")


def _save(machine: Machine, partial: Path, log: Path, what: str, at: str, arguments: list, typed: str = "") -> None:
    """Runs until the console shows `at`, and saves the state."""
    machine = replace(machine, timing=_timing(Config()))
    state = partial / "state"
    code = simulate(machine, [f"--save={state}", f"--save-at={at}", f"--stats={partial / 'stats.json'}", *arguments], log, typed)
    check(code, what, log)
    if not state.exists():
        raise ui.Error(f"{what} ended without '{at}' on its console: {log}")


def booted(machine: Machine, what: str, progress: int = ui.PROGRESS) -> Path:
    """The state of a Linux machine at its shell's prompt, booted now or saved before."""
    cycles, duration = BOOT[machine.smp]

    def make(partial: Path, log: Path) -> None:
        _save(machine, partial, log, "the boot", PROMPT, ["--label=boot", f"--expect={cycles}", f"--progress={progress}", "--max-cycles=400000000"])
    return cache.build("state", [machine.key], make, f"boot: {what}, in Verilator", duration) / "state"


def prepared(machine: Machine, command: str, at: str, progress: int = ui.PROGRESS) -> Path:
    """The state of a booted machine after more: when a command that was typed has printed `at`, and reads what it is told next."""
    state = booted(machine, "to the shell", progress)

    def make(partial: Path, log: Path) -> None:
        _save(machine, partial, log, f"'{command}'", at, [f"--restore={state}", "--label=prepare", f"--progress={progress}", "--max-cycles=400000000"],
              f"{command}\n")
    return cache.build("state", [machine.key, command, at], make, f"prepare: {command}") / "state"
