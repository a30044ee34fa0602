# SPDX-License-Identifier: BSD-3-Clause
"""Userspace: busybox from Debian's source package, our programs, one initramfs of them."""

import glob
import os
import re
from pathlib import Path

from .. import ui
from ..paths import BOARD, FLOW, SW
from . import cache, debian, tools
from .cpio import Archive

CFLAGS = "-O2 -Wall -Wextra -Werror -march=rv64gc -mabi=lp64d"


def source_stanzas(text: str) -> str:
    """Of a .sources file (sources.list(5), deb822 style) the stanzas of Debian's own packages, turned to source packages."""
    found = []
    for stanza in re.split(r"\n\s*\n", re.sub(r"^#.*\n?", "", text, flags=re.M)):
        field = {name.lower(): value for name, value in re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", stanza, re.M)}
        if "deb" in field.get("types", "").split() and "debian" in field.get("uris", "") and "main" in field.get("components", "").split() \
                and field.get("enabled", "yes").lower() not in ("no", "false"):
            found.append(re.sub(r"^types:.*$", "Types: deb-src", stanza.strip("\n"), flags=re.M | re.I))
    return "".join(f"{stanza}\n\n" for stanza in found)


def _source_list(directory: Path) -> None:
    """This machine's own Debian sources, turned to source packages."""
    (directory / "sources.list.d").mkdir()
    files = ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]
    lines = [line for file in files if os.path.exists(file) for line in Path(file).read_text().splitlines()
             if re.match(r"deb\s.*debian.*\smain\b", line)]
    (directory / "sources.list").write_text("".join(re.sub(r"^deb\s", "deb-src ", line) + "\n" for line in lines))
    for file in glob.glob("/etc/apt/sources.list.d/*.sources"):
        (directory / "sources.list.d" / Path(file).name).write_text(source_stanzas(Path(file).read_text()))


def _debian_source(package: str, partial: Path, log: Path) -> Path:
    """Unpacks a source package of Debian's, of debian.source_version()."""
    apt = partial / "apt"
    (apt / "lists" / "partial").mkdir(parents=True)
    _source_list(apt)
    options = [f"-oDir::Etc::sourcelist={apt}/sources.list", f"-oDir::Etc::sourceparts={apt}/sources.list.d",
               f"-oDir::State::lists={apt}/lists", "-oAPT::Sandbox::User=root", "-oDir::Cache::srcpkgcache=", "-oDir::Cache::pkgcache="]
    ui.run(["apt-get", "-q", *options, "update"], log)
    ui.run(["apt-get", "-q", *options, "source", f"{package}={debian.source_version(package)}"], log, cwd=partial)
    return next(d for d in partial.glob(f"{package}-*") if d.is_dir())


def musl() -> Path:
    """A C library for static programs a tenth of glibc's size: what is loaded at boot and by every exec is simulated."""
    def make(partial: Path, log: Path) -> None:
        tree = _debian_source("musl", partial, log)
        ui.run(["./configure", "--target=riscv64-linux-gnu", f"--prefix={_PREFIX}", "--disable-shared", "--enable-wrapper=gcc",
                f"CROSS_COMPILE={tools.CROSS}"], log, cwd=tree)
        ui.run(["make", "-C", tree, f"-j{tools.jobs()}", "install", f"DESTDIR={partial}"], log)
        for directory in ("include", "lib"):
            (partial / _PREFIX.lstrip("/") / directory).rename(partial / directory)
        ui.run(["rm", "-rf", *(d for d in partial.iterdir() if d.name not in ("include", "lib"))], log)
    return cache.build("musl", [debian.source_version("musl")], make, "rootfs: musl from Debian's source", "1 minute")


_PREFIX = "/blockzero-musl"


def _musl_flags(partial: Path) -> list:
    """Compiler flags that use musl; the specs file goes to `partial`."""
    library = musl()
    specs = partial / "musl.specs"
    specs.write_text((library / "lib" / "musl-gcc.specs").read_text().replace(_PREFIX, str(library)))
    return [f"-specs={specs}", "-static", "-idirafter", "/usr/riscv64-linux-gnu/include"]  # the last for the kernel's headers


def busybox() -> Path:
    """The static busybox binary."""
    config = BOARD / "busybox.config"

    def make(partial: Path, log: Path) -> None:
        tree = _debian_source("busybox", partial, log)
        flags = " ".join(_musl_flags(partial))
        build = ["make", "-C", tree, f"-j{tools.jobs()}", "ARCH=riscv", f"CROSS_COMPILE={tools.CROSS}", f"CC={tools.CROSS}gcc {flags}"]
        ui.run([*build, "allnoconfig"], log)
        wanted = [line for line in config.read_text().splitlines() if line.startswith("CONFIG_")]
        names = {line.split("=")[0] for line in wanted}
        kept = [line for line in (tree / ".config").read_text().splitlines()
                if not any(line.startswith(f"{n}=") or line == f"# {n} is not set" for n in names)]
        (tree / ".config").write_text("\n".join(kept + wanted) + "\n")
        ui.run([*build[:-1], "oldconfig"], log, data=b"\n" * 2000)
        ui.run([*build, "busybox"], log)
        ui.run([*build, "busybox.links"], log)
        (tree / "busybox").rename(partial / "busybox")
        (tree / "busybox.links").rename(partial / "links")
        ui.run(["rm", "-rf", partial / "apt", *partial.glob("busybox[-_]*")], log)

    return cache.build("busybox", [config, debian.source_version("busybox"), musl().name], make, "rootfs: busybox from Debian's source", "1 minute")


def programs() -> Path:
    """Every program of sw/user, static, as a tree of the root filesystem's; beside it each with its symbols."""
    def make(partial: Path, log: Path) -> None:
        ui.run(["make", "-C", partial, "-f", SW / "user" / "Makefile", "install", f"CC={tools.CROSS}gcc {' '.join(_musl_flags(partial))}",
                f"STRIP={tools.CROSS}strip", f"CFLAGS={CFLAGS}", f"DESTDIR={partial / 'root'}"], log)
    inputs = [SW / "user", SW / "include", musl().name]
    return cache.build("programs", inputs, make, "rootfs: our programs") / "root"


def _own(files: Path) -> dict:
    """{name in /root: file or folder} of what a user gave: a file, or what a folder has in it."""
    return {files.name: files} if files.is_file() else {str(file.relative_to(files)): file for file in sorted(files.rglob("*"))}


def initramfs(own: tuple = ()) -> Path:
    """The archive the kernel unpacks: busybox, our programs, the overlay; in /root what `own` has, files and folders of a user's."""
    tools_, ours, overlay = busybox(), programs(), BOARD / "rootfs-overlay"

    def make(partial: Path, log: Path) -> None:
        archive = Archive()
        for name in ("bin", "dev", "etc", "proc", "root", "sbin", "sys", "tmp", "usr", "usr/bin", "usr/sbin"):
            archive.directory(name)
        archive.character_device("dev/console", 5, 1)
        archive.file("bin/busybox", (tools_ / "busybox").read_bytes(), True)
        for link in (tools_ / "links").read_text().split():
            archive.link(link.lstrip("/"), "/bin/busybox")
        for tree in (ours, overlay):
            for file in sorted(tree.rglob("*")):
                if file.is_file():
                    archive.file(str(file.relative_to(tree)), file.read_bytes(), os.access(file, os.X_OK))
        for name, file in {name: file for files in own for name, file in _own(files).items()}.items():
            if file.is_dir():
                archive.directory(f"root/{name}")
            else:
                archive.file(f"root/{name}", file.read_bytes(), os.access(file, os.X_OK))
        archive.write(partial / "initramfs.cpio")

    inputs = [tools_.name, ours.parent.name, overlay, FLOW / "building" / "cpio.py", *own]
    return cache.build("rootfs", inputs, make, "rootfs: initramfs") / "initramfs.cpio"
