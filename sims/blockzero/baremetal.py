# SPDX-License-Identifier: BSD-3-Clause
"""Bare-metal programs of sw/baremetal: a binary each, for the start of RAM."""

from pathlib import Path

from . import cache, rtl, tools, ui
from .config import Config
from .paths import SW

HOME = SW / "baremetal"
SHARED = ("start.S", "runtime.c")
CFLAGS = ["-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-no-pie", "-march=rv64imafd_zicsr",
          "-mabi=lp64d", "-mcmodel=medany", "-fno-tree-loop-distribute-patterns", "-Wl,--build-id=none", "-Wl,-T," + str(HOME / "link.ld")]


def _platform(soc: dict, ram_bytes: int) -> str:
    lines = ["/* Generated from soc.json. */", "#pragma once"]
    for name, region in soc["regions"].items():
        lines.append(f"#define {name.upper()}_BASE {region['base']:#x}UL")
    lines.append(f"#define RAM_LAST {soc['regions']['ram']['base'] + ram_bytes - 1:#x}UL")
    for name in ("irq", "queue_depth", "windows"):
        lines.append(f"#define ENGINE_{name.upper()} {soc['engine'][name]}")
    return "\n".join(lines) + "\n"


def program(config: Config, name: str) -> Path:
    """The binary of sw/baremetal/NAME.c for this SoC."""
    text = _platform(rtl.soc(config), config.ram_mib << 20)

    def make(partial: Path, log: Path) -> None:
        (partial / "platform.h").write_text(text)
        elf = partial / f"{name}.elf"
        ui.run([f"{tools.CROSS}gcc", *CFLAGS, f"-I{partial}", f"-I{HOME}", f"-I{SW / 'include'}", *(HOME / file for file in SHARED),
                HOME / f"{name}.c", "-o", elf], log)
        ui.run([f"{tools.CROSS}objcopy", "-O", "binary", elf, partial / f"{name}.bin"], log)
    inputs = [HOME, SW / "include", text, name, *CFLAGS]
    return cache.build("baremetal", inputs, make, f"bare-metal: {name}") / f"{name}.bin"
