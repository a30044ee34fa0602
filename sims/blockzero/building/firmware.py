# SPDX-License-Identifier: BSD-3-Clause
"""What runs before the kernel: our boot ROM, Debian's OpenSBI, and the device tree."""

import re
from pathlib import Path

from .. import ui
from ..paths import SW
from . import cache, devicetree, tools

FIRMWARE_SIZE = 0x80000  # kept from the kernel and the engine: what OpenSBI 1.1 keeps, says its banner; 1.6 keeps 0x60000
DTB_OFFSET = 0x100000   # in RAM, after OpenSBI
NEXT_OFFSET = 0x200000  # Linux's Image: 2 MiB aligned, by its boot protocol


def opensbi(file: str = "fw_dynamic.bin") -> Path:
    path = Path("/usr/lib/riscv64-linux-gnu/opensbi/generic") / file
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
    text = devicetree.source(soc, ram_bytes, FIRMWARE_SIZE, bootargs, initrd, engine)

    def make(partial: Path, log: Path) -> None:
        (partial / "soc.dts").write_text(text)
        ui.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-p", "2048", "-o", partial / "soc.dtb", partial / "soc.dts"], log)
    return cache.build("dtb", [text], make, "firmware: device tree") / "soc.dtb"


_PAYLOAD = """ENTRY(_start)
SECTIONS
{{
    .firmware {firmware:#x} : {{ _start = .; *fw_jump.o(.data) }}
    .linux {linux:#x} : {{ *Image.o(.data) }}
    fromhost = {htif:#x};
    tohost = {htif:#x} + 8;
}}
"""


def htif_offset(sections: str) -> int:
    """Where in OpenSBI `fromhost` and `tohost` are, 8 bytes each, by readelf's list of its sections."""
    found = {name: (int(address, 16), int(size, 16)) for name, address, size in re.findall(r"(\.\w+)\s+PROGBITS\s+(\w+)\s+\w+\s+(\w+)", sections)}
    if ".text" not in found or found.get(".htif", (0, 0))[1] != 16:
        raise ui.Error("OpenSBI's fw_jump.elf has no .htif of 16 bytes: it is not the OpenSBI this is for")
    return found[".htif"][0] - found[".text"][0]


def payload(image: Path) -> Path:
    """OpenSBI and a kernel image in one ELF file, for a simulator that loads ELF files and talks HTIF.

    Debian's fw_jump begins where it is loaded, here at 2 GiB, goes on 2 MiB above that, and takes the device tree from the boot ROM.
    Its addresses in the ELF file count from 2 GiB (OpenSBI 1.1) or from 0 (1.6).
    """
    jump = opensbi("fw_jump.elf")

    def make(partial: Path, log: Path) -> None:
        base = 0x80000000
        htif = base + htif_offset(ui.output([f"{tools.CROSS}readelf", "-SW", jump]))
        (partial / "link.ld").write_text(_PAYLOAD.format(firmware=base, linux=base + NEXT_OFFSET, htif=htif))
        for name, data in (("fw_jump", opensbi("fw_jump.bin")), ("Image", image)):
            (partial / name).symlink_to(data)
            ui.run([f"{tools.CROSS}ld", "-r", "-b", "binary", name, "-o", f"{name}.o"], log, cwd=partial)
        ui.run([f"{tools.CROSS}ld", "-T", "link.ld", "fw_jump.o", "Image.o", "-o", "linux.elf"], log, cwd=partial)
        for leftover in ("link.ld", "fw_jump", "Image", "fw_jump.o", "Image.o"):
            (partial / leftover).unlink()
    return cache.build("payload", [jump, image, _PAYLOAD], make, "firmware: OpenSBI and Linux in one ELF file") / "linux.elf"
