# SPDX-License-Identifier: BSD-3-Clause
"""A system ready to run: simulator, images and where they go in memory."""

from dataclasses import dataclass
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
    """`arguments` of the simulator `binary`; `key` names their content."""

    binary: Path
    arguments: list
    key: str
    smp: bool


def _timing(config: Config) -> list:
    return [f"--read-latency={config.read_latency}", f"--write-latency={config.write_latency}", f"--bandwidth={config.bandwidth}"]


def bare(config: Config, program: str) -> Machine:
    """A bare-metal program of sw/baremetal."""
    arguments = [*baremetal.arguments(config, program), *_timing(config)]
    return Machine(simulator.binary(config), arguments, cache.digest(arguments), config.smp)


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
                 f"--ram={config.ram_mib}", *_timing(config)]
    binary = simulator.binary(config)
    return Machine(binary, arguments, cache.digest([binary.parent.name, rom, *images, *arguments]), config.smp)


def simulate(machine: Machine, arguments: list, console: Path, typed: str = "") -> int:
    """Runs to the end, console to a file, progress to the terminal; the simulator's exit code."""
    with open(console, "wb") as out:
        return processes.run([machine.binary, *machine.arguments, *arguments], typed.encode(), stdout=out)


def check(code: int, what: str, console: Path) -> None:
    if code != 0:
        raise ui.Error(f"{what} {EXIT_REASONS.get(code, f'ended with exit code {code}')}; console: {console}")


def booted(machine: Machine, what: str, progress: int = ui.PROGRESS) -> Path:
    """The state of a Linux machine at its shell's prompt, booted now or saved before."""
    cycles, duration = BOOT[machine.smp]

    def make(partial: Path, log: Path) -> None:
        state = partial / "state"
        code = simulate(machine, [f"--save={state}", f"--save-at={PROMPT}", "--label=boot", f"--expect={cycles}", f"--progress={progress}",
                                  f"--stats={partial / 'stats.json'}", "--max-cycles=400000000"], log)
        check(code, "the boot", log)
        if not state.exists():
            raise ui.Error(f"the boot ended without its prompt; console: {log}")
    return cache.build("state", [machine.key], make, f"boot: {what}, in Verilator", duration)
