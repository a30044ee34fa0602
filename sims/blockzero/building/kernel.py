# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Linux source, our series, and the images built from them."""

import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Optional

from .. import ui
from ..paths import BOARD, BUILD, PATCHES
from . import cache, debian, tools

PACKAGE = "linux-source-6.12"
TARBALL = Path("/usr/src") / f"{PACKAGE}.tar.xz"
TREE = BUILD / "linux-tree"
# What no configuration here compiles: with it a tree takes three times as long to unpack and to remove.
_DRIVERS = "accel acpi crypto gpu hid hwmon iio infiniband input md media mtd net pinctrl platform scsi staging usb".split()
SPARE = [*(f"arch/[!r]*.{kind}" for kind in ("[chS]", "dts", "dtsi")), "tools/perf/*", "tools/testing/*", "Documentation/devicetree/bindings/*/*",
         *(f"{folder}/*.[chS]" for folder in ("net", "sound", *(f"drivers/{name}" for name in _DRIVERS)))]
WAY = 4096  # bytes, of Rocket's I-cache


PARTS = ("a", "b", "c")  # folders of the series, each with a cover letter
LETTER = "0000-cover-letter.patch"


def series(last: str = PARTS[-1]) -> list:
    """The patches of all parts up to this one, in their order."""
    parts = PARTS[:PARTS.index(last) + 1]
    return [patch for part in parts for patch in sorted((PATCHES / part).glob("[0-9]*.patch")) if patch.name != LETTER]


def letter(part: str) -> str:
    """What a part's cover letter says: its subject, an empty line, and its text without the list of patches."""
    head, _, body = (PATCHES / part / LETTER).read_text().partition("\n\n")
    subject = re.search(r"^Subject: \[PATCH[^]]*\] (.*(?:\n .*)*)", head, re.M)[1].replace("\n", "")
    return f"{subject}\n\n{re.split(r'^.+ [(][0-9]+[)]:$', body, maxsplit=1, flags=re.M)[0].strip()}\n"


def _unpack(to: Path, log: Path, without: list = ()) -> None:
    if not TARBALL.exists():
        raise ui.Error(f"{TARBALL} is missing; run 'make setup'")
    version = debian.version(PACKAGE)
    if not version.startswith("6.12."):
        raise ui.Error(f"the series is for Linux 6.12, the package {PACKAGE} has {version}")
    cache.need_space(4)
    to.mkdir(parents=True)
    ui.run(["tar", "-xf", TARBALL, "-C", to, "--strip-components=1", "--anchored", *(f"--exclude={PACKAGE}/{pattern}" for pattern in without)], log)


def _source() -> Path:
    """The directory with what of Debian's source is needed to build."""
    return cache.build("linux-source", [debian.version(PACKAGE), *SPARE], lambda partial, log: _unpack(partial / "tree", log, SPARE),
                       "linux: Debian's source", "20 seconds") / "tree"


def _apply(tree: Path, log: Path, patches: Optional[int] = None) -> None:
    for patch in series()[:patches]:
        ui.run(["patch", "-p1", "--forward", "--fuzz=0", "--no-backup-if-mismatch", "-d", tree, "-i", patch], log,
               f"{patch.name} does not fit Linux {debian.version(PACKAGE)}")


def _make(tree: Path, log: Path, *targets: str) -> None:
    ui.run(["make", "-C", tree, f"-j{tools.jobs()}", "ARCH=riscv", f"CROSS_COMPILE={tools.CROSS}", f"CC=ccache {tools.CROSS}gcc",
            "KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 1970", "KBUILD_BUILD_USER=blockzero", "KBUILD_BUILD_HOST=blockzero", *targets],
           log, env=tools.compiler_environment())


def fragments(smp: bool, *more: str) -> list:
    return [BOARD / name for name in ("linux.config", *(("linux-smp.config",) if smp else ()), *more)]


def configure(tree: Path, parts: list, log: Path, strict: bool = True) -> None:
    """The parts, one over the other; an Error names any line of them that the kernel did not take."""
    ui.run([tree / "scripts" / "kconfig" / "merge_config.sh", "-m", "-O", tree, *parts], log)
    _make(tree, log, "olddefconfig")
    have = set((tree / ".config").read_text().splitlines())
    wanted = {option: line for part in parts for line in part.read_text().splitlines() for option in re.findall(r"\bCONFIG_\w+", line)[:1]}
    lost = [line for line in wanted.values() if line.startswith("CONFIG_") and not line.endswith("=n") and line not in have]
    if lost and strict:
        raise ui.Error(f"the kernel did not take {', '.join(lost)}")


def _configured(partial: Path, log: Path, parts: list, patches: Optional[int] = None) -> Path:
    """A tree to build in."""
    tree = partial / "tree"
    ui.run(["cp", "-a", _source(), tree], log)
    _apply(tree, log, patches)
    configure(tree, parts, log, strict=patches is None)
    return tree


def _inputs(parts: list, patches: Optional[int] = None) -> list:
    return [*parts, *series()[:patches]]


def _begin(section: str, size: int) -> str:
    """For the top of a source file, C or assembler: its section begins so many bytes into a way of the I-cache, whatever lies before it."""
    lines = (f'.pushsection {section}, "ax", @progbits', f".balign {WAY}", f".zero {size}", ".popsection")
    return "\n".join(["#ifdef __ASSEMBLY__", *lines, "#else", f"asm({json.dumps('; '.join(lines))});", "#endif", ""])


def _pad(partial: Path, padding: tuple) -> list:
    """Variables for make that put sections where `padding` wants them."""
    begins = {}
    for name, section, size in padding:
        begins[name] = begins.get(name, "") + _begin(section, size)
    for name, text in begins.items():
        (partial / f"{name}.h").write_text(text)
    return [f"{flags}_{name}.o=-include {partial / name}.h" for name in begins for flags in ("CFLAGS", "AFLAGS")]


def image(smp: bool = False, patches: Optional[int] = None, more: tuple = (), lines: str = "", padding: tuple = ()) -> Path:
    """Directory with Image, vmlinux and config. `patches` is how many of the series it has, if not all; `lines` are of its configuration.

    `padding` moves code: (name of an object, section of it, bytes into a way of the I-cache at which that begins), in a kernel whose
    functions have sections of their own: .text.NAME.
    """
    parts = fragments(smp, *more)
    lines += "CONFIG_LD_DEAD_CODE_DATA_ELIMINATION=y\n" if padding else ""

    def make(partial: Path, log: Path) -> None:
        (partial / "lines.config").write_text(lines)
        tree = _configured(partial, log, [*parts, partial / "lines.config"], patches)
        _make(tree, log, "Image", *_pad(partial, padding))
        for file, name in ((tree / "arch/riscv/boot/Image", "Image"), (tree / "vmlinux", "vmlinux"), (tree / ".config", "config")):
            file.rename(partial / name)
        ui.run(["rm", "-rf", tree], log)

    which = {None: "with the series", 0: "as Debian has it"}.get(patches, f"with {patches} of the series' patches")
    title = f"linux: {which}{', SMP' if smp else ''}{', ' + ' '.join(more) if more else ''}{', moved' if padding else ''}"
    return cache.build("linux", [*_inputs(parts, patches), lines, *(name + _begin(*where) for name, *where in padding)], make, title, "2 minutes")


FOR_MODULES = ("Makefile", ".config", "Module.symvers", "arch", "include", "scripts", "tools")  # what of a tree their build needs


def with_modules(smp: bool) -> Path:
    """Directory with Image and vmlinux of a kernel that loads modules, and `tree`, which builds them."""
    parts = fragments(smp, "linux-modules.config")

    def make(partial: Path, log: Path) -> None:
        tree = _configured(partial, log, parts)
        _make(tree, log, "Image", "modules_prepare")
        for file in ("arch/riscv/boot/Image", "vmlinux"):
            (tree / file).rename(partial / Path(file).name)
        (tree / "vmlinux.symvers").rename(tree / "Module.symvers")  # what the kernel exports; it has no modules that export more
        ui.run(["find", tree, "-mindepth", "1", "-maxdepth", "1", *(word for name in FOR_MODULES for word in ("!", "-name", name)), "-exec", "rm", "-rf", "{}", "+"], log)
        ui.run(["find", tree / "arch", "-name", "*.o", "-delete"], log)
    return cache.build("linux-modules", _inputs(parts), make, "linux: with the series, for modules", "2 minutes")


def modules(source: Path, smp: bool) -> list:
    """The modules that a folder with a Kbuild file builds."""
    tree = with_modules(smp) / "tree"
    if not any((source / name).is_file() for name in ("Kbuild", "Makefile")):
        raise ui.Error(f"MODULE={source}: there is no Kbuild in it; 'obj-m := hello.o' is one")

    def make(partial: Path, log: Path) -> None:
        shutil.copytree(source, partial / "source")
        _make(tree, log, f"M={partial / 'source'}", "modules")
        for file in (partial / "source").rglob("*.ko"):
            shutil.copy(file, partial)
        shutil.rmtree(partial / "source")
    found = sorted(cache.build("modules", [source, tree.parent.name], make, f"linux: the modules of {source}").glob("*.ko"))
    if not found:
        raise ui.Error(f"MODULE={source}: its Kbuild names no module (obj-m)")
    return found


def symbols_without_options() -> set:
    """What mm/ defines when the series is applied and all its options are off; an Error if it does not compile so."""
    parts = fragments(False, "linux-series-off.config")

    def make(partial: Path, log: Path) -> None:
        tree = _configured(partial, log, parts)
        _make(tree, log, "mm/")
        ui.run([f"{tools.CROSS}nm", "-j", tree / "mm" / "built-in.a"], partial / "symbols")
        ui.run(["rm", "-rf", tree], log)

    return set((cache.build("linux-off", _inputs(parts), make, "linux: mm with the series' options off", "1 minute") / "symbols").read_text().split())


def _git(*arguments) -> str:
    return ui.output(["git", "-C", TREE, *arguments])


def open_tree() -> None:
    """A git tree of the kernel, tag `base` for Debian's source and one commit a patch after it."""
    if TREE.exists():
        raise ui.Error(f"{TREE} is already there; work in it, or remove it for a new one")
    log = BUILD / "log" / "linux-tree.log"
    partial = TREE.with_suffix(".partial")
    ui.run(["rm", "-rf", partial], log)
    with ui.phase("linux-tree: unpacking, committing and applying the series", "1 minute"):
        _unpack(partial, log)
        ignored = partial / ".gitignore"  # Debian's last lines hide every new file
        ignored.write_text(ignored.read_text().replace("\n/*\n", "\n"))
        for command in (["init", "-q"], ["add", "-Af"], ["commit", "-qm", f"Debian {PACKAGE} {debian.version(PACKAGE)}"], ["tag", "base"],
                        *(command for part in PARTS for command in (
                            ["commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", letter(part)],
                            ["am", "-q", *(str(patch) for patch in series() if patch.parent.name == part)]))):
            ui.run(["git", "-C", partial, "-c", "user.name=BlockZero", "-c", "user.email=blockzero@example.org", "-c", "gc.auto=0", *command], log)
        partial.rename(TREE)
    ui.say(f"kernel tree: {TREE} (the series is base..HEAD; an empty commit is the cover letter of those after it; 'make linux-series' writes it back)")


def write_series() -> None:
    """Regenerates linux-patches/ from the tree's commits after `base`."""
    if not TREE.exists():
        raise ui.Error("there is no kernel tree; 'make linux-tree' opens one")
    if _git("status", "--porcelain", "--untracked-files=no").strip():
        raise ui.Error(f"{TREE} has uncommitted changes; commit them first")
    commits = _git("rev-list", "--reverse", "base..HEAD").split()
    letters = [commit for commit in commits if _git("rev-parse", f"{commit}^{{tree}}") == _git("rev-parse", f"{commit}^^{{tree}}")]
    if not commits:
        raise ui.Error(f"{TREE} has no commits after base: nothing is written")
    if len(letters) != len(PARTS) or letters[0] != commits[0]:
        raise ui.Error(f"{TREE} has {len(letters)} empty commits after base: {len(PARTS)} are wanted, the cover letters, and the first comes before every patch")
    with tempfile.TemporaryDirectory(dir=BUILD) as new:
        for part, begin, end in zip(PARTS, letters, [f"{commit}^" for commit in letters[1:]] + ["HEAD"]):
            folder = Path(new) / part
            _git("-c", "user.name=BlockZero Developers", "-c", "user.email=dev@blockzero.example", "format-patch", "-q", "-n", "--cover-letter", "--zero-commit", "--no-signature", "--abbrev=12", "-o", str(folder), f"{begin}..{end}")
            subject, _, text = _git("log", "-1", "--format=%B", begin).strip().partition("\n\n")
            written = (folder / LETTER).read_text().replace("*** SUBJECT HERE ***", subject).replace("*** BLURB HERE ***", text)
            # When it is written is no part of it.
            (folder / LETTER).write_text(re.sub(r"^Date: .*", "Date: Thu, 1 Jan 1970 00:00:00 +0000", written, count=1, flags=re.M))
            (folder / "series").write_text("".join(f"{patch.name}\n" for patch in sorted(folder.glob("*.patch")) if patch.name != LETTER))
        for part in PARTS:
            shutil.rmtree(PATCHES / part, ignore_errors=True)
            shutil.copytree(Path(new) / part, PATCHES / part)
    ui.say(f"{len(series())} patches in {PATCHES}")
