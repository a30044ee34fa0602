# SPDX-License-Identifier: BSD-3-Clause
"""Bare-metal programs of sw/baremetal. They find their way by the device tree, so one binary runs on every SoC."""

from pathlib import Path

from .. import ui
from ..config import Config
from ..paths import SW
from . import cache, firmware, rtl, tools

HOME = SW / "baremetal"
SHARED = ("start.S", "runtime.c", "platform.c", "htif.c")
TESTS = ("contract", "memory", "throughput", "workingset", "clear", "port", "beside", "harts")
PROGRAMS = (*TESTS, "sleep")
CFLAGS = ["-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-no-pie", "-march=rv64imafd_zicsr",
          "-mabi=lp64d", "-mcmodel=medany", "-fno-tree-loop-distribute-patterns",
          "-Wl,--build-id=none,--no-warn-rwx-segments", "-Wl,-T," + str(HOME / "link.ld")]


def programs() -> Path:
    """Directory with NAME.elf, and NAME.bin for the start of RAM, of every program."""
    def make(partial: Path, log: Path) -> None:
        for name in PROGRAMS:
            elf = partial / f"{name}.elf"
            ui.run([f"{tools.CROSS}gcc", *CFLAGS, f"-I{HOME}", f"-I{SW / 'include'}", *(HOME / file for file in SHARED), HOME / f"{name}.c", "-o", elf],
                   log)
            ui.run([f"{tools.CROSS}objcopy", "-O", "binary", elf, elf.with_suffix(".bin")], log)
    return cache.build("baremetal", [HOME, SW / "include"], make, "bare-metal programs")


def arguments(config: Config, name: str) -> list:
    """Of the stand-alone simulator: the program at the start of RAM, in machine mode, and the device tree it is given."""
    soc = rtl.soc(config)
    ram, ram_bytes = soc["regions"]["ram"]["base"], config.ram_mib << 20
    rom = firmware.boot_rom(soc, ram_bytes, linux=False)
    dtb = firmware.device_tree(soc, ram_bytes, "", (0, 0), engine=True)
    return [f"--bootrom={rom}", f"--load={programs() / name}.bin@{ram:#x}", f"--load={dtb}@{ram + firmware.DTB_OFFSET:#x}",
            f"--ram={config.ram_mib}"]
