# SPDX-License-Identifier: BSD-3-Clause
"""What runs before the kernel: our boot ROM, Debian's OpenSBI, and the device tree."""

from pathlib import Path

from . import cache, devicetree, tools, ui
from .paths import SW

FIRMWARE_SIZE = 0x80000  # what OpenSBI keeps from the kernel, says its banner
DTB_OFFSET = 0x100000   # in RAM, after OpenSBI
NEXT_OFFSET = 0x200000  # Linux's Image: 2 MiB aligned, by its boot protocol


def opensbi() -> Path:
    path = Path("/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin")
    if not path.exists():
        raise ui.Error(f"{path} is missing; run 'make setup'")
    return path


def boot_rom(soc: dict, ram_bytes: int, linux: bool) -> Path:
    """The few instructions Rocket's own ROM jumps to: set and lock the engine's window, enter OpenSBI (or a bare-metal test)."""
    regions = soc["regions"]
    ram = regions["ram"]["base"]
    defines = [f"-DRAM_BASE={ram:#x}", f"-DFIRMWARE_END={ram + FIRMWARE_SIZE:#x}", f"-DNEXT={ram + NEXT_OFFSET:#x}",
               f"-DRAM_LAST={ram + ram_bytes - 1:#x}", f"-DDTB={ram + DTB_OFFSET:#x}", f"-DENGINE={regions['engine']['base']:#x}", f"-DLINUX={int(linux)}"]
    source = SW / "bootrom" / "bootrom.S"

    def make(partial: Path, log: Path) -> None:
        ui.run([f"{tools.CROSS}gcc", "-nostdlib", "-static", "-march=rv64ima_zicsr", "-mabi=lp64", f"-I{SW / 'include'}", *defines,
                f"-Wl,-Ttext={regions['bootrom']['base']:#x},--build-id=none", source, "-o", partial / "bootrom.elf"], log)
        ui.run([f"{tools.CROSS}objcopy", "-O", "binary", partial / "bootrom.elf", partial / "bootrom.bin"], log)
    return cache.build("bootrom", [source, SW / "include", *defines], make, "firmware: boot ROM") / "bootrom.bin"


def device_tree(soc: dict, ram_bytes: int, bootargs: str, initrd: tuple, engine: bool) -> Path:
    """The blob, from the SoC's parameters."""
    text = devicetree.source(soc, ram_bytes, bootargs, initrd, engine)

    def make(partial: Path, log: Path) -> None:
        (partial / "soc.dts").write_text(text)
        ui.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-p", "2048", "-o", partial / "soc.dtb", partial / "soc.dts"], log)
    return cache.build("dtb", [text], make, "firmware: device tree") / "soc.dtb"
