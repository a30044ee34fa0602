# SPDX-License-Identifier: BSD-3-Clause
"""Userspace: busybox from Debian's source package, our programs, one initramfs of them."""

import glob
import os
import re
from pathlib import Path

from . import cache, tools, ui
from .cpio import Archive
from .paths import BOARD, SW

CFLAGS = ["-O2", "-static", "-Wall", "-Wextra", "-Werror", "-march=rv64gc", "-mabi=lp64d", "-pthread"]


def _source_list(directory: Path) -> None:
    """This machine's own Debian sources, turned to source packages."""
    (directory / "sources.list.d").mkdir()
    files = ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]
    lines = [line for file in files if os.path.exists(file) for line in Path(file).read_text().splitlines()
             if re.match(r"deb\s.*debian.*\smain\b", line)]
    (directory / "sources.list").write_text("".join(re.sub(r"^deb\s", "deb-src ", line) + "\n" for line in lines))
    for file in glob.glob("/etc/apt/sources.list.d/*.sources"):
        text = Path(file).read_text()
        if re.search(r"^URIs:.*debian", text, re.M) and re.search(r"^Components:.*\bmain\b", text, re.M):
            (directory / "sources.list.d" / Path(file).name).write_text(re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.M))


def busybox() -> Path:
    """The static busybox binary."""
    config = BOARD / "busybox.config"

    def make(partial: Path, log: Path) -> None:
        apt, lists = partial / "apt", partial / "apt" / "lists" / "partial"
        lists.mkdir(parents=True)
        _source_list(apt)
        options = [f"-oDir::Etc::sourcelist={apt}/sources.list", f"-oDir::Etc::sourceparts={apt}/sources.list.d",
                   f"-oDir::State::lists={apt}/lists", "-oAPT::Sandbox::User=root", "-oDir::Cache::srcpkgcache=", "-oDir::Cache::pkgcache="]
        ui.run(["apt-get", "-q", *options, "update"], log, tools.NETWORK)
        ui.run(["apt-get", "-q", *options, "source", "busybox"], log, tools.NETWORK, cwd=partial)
        tree = next(d for d in partial.glob("busybox-*") if d.is_dir())
        build = ["make", "-C", tree, f"-j{tools.jobs()}", "ARCH=riscv", f"CROSS_COMPILE={tools.CROSS}"]
        ui.run([*build, "allnoconfig"], log)
        wanted = [line for line in config.read_text().splitlines() if line.startswith("CONFIG_")]
        names = {line.split("=")[0] for line in wanted}
        kept = [line for line in (tree / ".config").read_text().splitlines()
                if not any(line.startswith(f"{n}=") or line == f"# {n} is not set" for n in names)]
        (tree / ".config").write_text("\n".join(kept + wanted) + "\n")
        ui.run(["sh", "-c", f"yes '' | {' '.join(map(str, build))} oldconfig"], log)
        ui.run([*build, "busybox"], log, env=tools.compiler_environment())
        ui.run([*build, "busybox.links"], log)
        (tree / "busybox").rename(partial / "busybox")
        (tree / "busybox.links").rename(partial / "links")
        ui.run(["rm", "-rf", apt, *partial.glob("busybox[-_]*")], log)

    inputs = [config, tools.version([f"{tools.CROSS}gcc", "--version"]), tools.package_version("libc6-dev-riscv64-cross")]
    return cache.build("busybox", inputs, make, "rootfs: busybox from Debian's source", "1 minute")


def programs() -> Path:
    """Every program of sw/user, static."""
    def make(partial: Path, log: Path) -> None:
        for source in sorted((SW / "user").glob("*.c")):
            if source.with_suffix(".h").exists():
                continue  # a module the programs share
            shared = [file for file in (SW / "user").glob("*.c") if file.with_suffix(".h").exists()]
            ui.run([f"{tools.CROSS}gcc", *CFLAGS, f"-I{SW / 'include'}", source, *shared, "-o", partial / source.stem], log)
            ui.run([f"{tools.CROSS}strip", partial / source.stem], log)
    inputs = [SW / "user", SW / "include", *CFLAGS, tools.version([f"{tools.CROSS}gcc", "--version"])]
    return cache.build("programs", inputs, make, "rootfs: our programs")


def initramfs() -> Path:
    """The archive the kernel unpacks: busybox, our programs, the overlay."""
    tools_, ours, overlay = busybox(), programs(), BOARD / "rootfs-overlay"

    def make(partial: Path, log: Path) -> None:
        archive = Archive()
        for name in ("bin", "dev", "etc", "proc", "root", "sbin", "sys", "tmp", "usr", "usr/bin", "usr/sbin"):
            archive.directory(name)
        archive.character_device("dev/console", 5, 1)
        archive.file("bin/busybox", (tools_ / "busybox").read_bytes(), True)
        for link in (tools_ / "links").read_text().split():
            archive.link(link.lstrip("/"), "/bin/busybox")
        for program in sorted(ours.iterdir()):
            archive.file("init" if program.name == "init" else f"usr/bin/{program.name}", program.read_bytes(), True)
        for file in sorted(overlay.rglob("*")):
            if file.is_file():
                archive.file(str(file.relative_to(overlay)), file.read_bytes(), os.access(file, os.X_OK))
        archive.write(partial / "initramfs.cpio")

    inputs = [tools_.name, ours.name, overlay, Path(__file__), Path(__file__).with_name("cpio.py")]
    return cache.build("rootfs", inputs, make, "rootfs: initramfs") / "initramfs.cpio"
