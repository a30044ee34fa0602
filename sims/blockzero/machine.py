# SPDX-License-Identifier: BSD-3-Clause
"""A system ready to run: simulator, images and where they go in memory."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import cache, devicetree, rtl, tools, ui
from .config import Config
from .paths import BUILD, SW

OPENSBI = Path("/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin")
FIRMWARE_BYTES = 0x200000  # OpenSBI and the device tree; Linux's Image begins after it
DTB_OFFSET = 0x100000
PROMPT = "blockzero# "

EXIT_REASONS = {124: "did not end within the cycles it was given", 125: "hung: no instruction retired", 126: "failed an assertion in the RTL",
                130: "was stopped"}


@dataclass(frozen=True)
class Machine:
    """`arguments` of the simulator `binary`; `key` names their content."""

    binary: Path
    arguments: list
    key: str


def _boot_rom(soc: dict, ram_bytes: int, linux: bool) -> Path:
    """The few instructions Rocket's own ROM jumps to: set and lock the engine's window, enter OpenSBI (or a bare-metal test)."""
    regions = soc["regions"]
    ram = regions["ram"]["base"]
    defines = [f"-DRAM_BASE={ram:#x}", f"-DNEXT={ram + FIRMWARE_BYTES:#x}", f"-DRAM_LAST={ram + ram_bytes - 1:#x}",
               f"-DDTB={ram + DTB_OFFSET:#x}", f"-DENGINE={regions['engine']['base']:#x}", f"-DLINUX={int(linux)}"]
    source = SW / "bootrom" / "bootrom.S"

    def make(partial: Path, log: Path) -> None:
        ui.run([f"{tools.CROSS}gcc", "-nostdlib", "-static", "-march=rv64ima_zicsr", "-mabi=lp64", f"-I{SW / 'include'}", *defines,
                f"-Wl,-Ttext={regions['bootrom']['base']:#x},--build-id=none", source, "-o", partial / "bootrom.elf"], log)
        ui.run([f"{tools.CROSS}objcopy", "-O", "binary", partial / "bootrom.elf", partial / "bootrom.bin"], log)
    return cache.build("bootrom", [source, SW / "include", *defines], make, "firmware: boot ROM") / "bootrom.bin"


def _timing(config: Config) -> list:
    return [f"--ram={config.ram_mib}", f"--read-latency={config.read_latency}", f"--write-latency={config.write_latency}",
            f"--bandwidth={config.bandwidth}"]


def bare(config: Config, program: Path) -> Machine:
    """A bare-metal program at the start of RAM, in machine mode."""
    soc = rtl.soc(config)
    rom = _boot_rom(soc, config.ram_mib << 20, linux=False)
    arguments = [f"--bootrom={rom}", f"--load={program}@{soc['regions']['ram']['base']:#x}", *_timing(config)]
    return Machine(rtl.simulator(config), arguments, cache.digest([program, *arguments]))


def linux(config: Config, image: Path, initramfs: Path, bootargs: str, engine: bool = True) -> Machine:
    """OpenSBI, a kernel image, an initramfs and a device tree."""
    soc = rtl.soc(config)
    ram, ram_bytes = soc["regions"]["ram"]["base"], config.ram_mib << 20
    initrd = ram + ram_bytes - (initramfs.stat().st_size + 0xfffff & ~0xfffff)
    if not OPENSBI.exists():
        raise ui.Error(f"{OPENSBI} is missing; run 'make setup'")
    text = devicetree.source(soc, ram_bytes, bootargs, (initrd, initrd + initramfs.stat().st_size), engine)

    def make(partial: Path, log: Path) -> None:
        (partial / "soc.dts").write_text(text)
        ui.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-p", "2048", "-o", partial / "soc.dtb", partial / "soc.dts"], log)
    dtb = cache.build("dtb", [text], make, "firmware: device tree") / "soc.dtb"
    rom = _boot_rom(soc, ram_bytes, linux=True)
    images = {OPENSBI: ram, dtb: ram + DTB_OFFSET, image: ram + FIRMWARE_BYTES, initramfs: initrd}
    arguments = [f"--bootrom={rom}", *(f"--load={path}@{address:#x}" for path, address in images.items()), *_timing(config)]
    binary = rtl.simulator(config)
    return Machine(binary, arguments, cache.digest([binary.parent.name, rom, *images, *arguments]))


def simulate(machine: Machine, arguments: list, log: Path, stdin: str = "") -> int:
    """Runs to the end, console to `log`, progress to the terminal; the simulator's exit code."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "wb") as console:
        process = subprocess.Popen([machine.binary, *machine.arguments, *arguments], stdin=subprocess.PIPE, stdout=console)
        try:
            process.stdin.write(stdin.encode())
            process.stdin.close()
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGTERM)
            process.wait()
            raise


def check(code: int, what: str, log: Path) -> None:
    if code != 0:
        raise ui.Error(f"{what} {EXIT_REASONS.get(code, f'ended with exit code {code}')}; console: {log}")


def booted(machine: Machine, what: str) -> Path:
    """The state of a Linux machine at its shell's prompt, booted now or saved before."""
    def make(partial: Path, log: Path) -> None:
        state = partial / "state"
        code = simulate(machine, [f"--save={state}", f"--save-at={PROMPT}", "--label=boot", "--expect=40000000",
                                  f"--stats={partial / 'stats.json'}", "--max-cycles=400000000"], partial / "console.txt", "poweroff\n")
        if not state.exists() or code != 0:
            kept = BUILD / "log" / "boot-console.txt"
            os.replace(partial / "console.txt", kept)
            check(code or 1, "the boot", kept)
    return cache.build("state", [machine.key], make, f"boot: {what}, in Verilator", "3 minutes")
