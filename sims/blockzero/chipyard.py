# SPDX-License-Identifier: BSD-3-Clause
"""Puts the generator into a user's Chipyard, by links alone, and takes it out."""

import os
from pathlib import Path

from . import ui
from .paths import ROOT

COMPILED_WITH = "48f904ae of 2026-04-29"
COMMANDS = """linked. In {root}, after 'source env.sh', Chipyard's own commands:

    make -C sims/verilator CONFIG=RocketBlockZeroConfig CONFIG_PACKAGE=blockzero verilog

More configurations: generators/chipyard/Configs.scala; docs/chipyard.md says the rest."""


def _checkout() -> Path:
    """The user's Chipyard; an Error if it cannot be one that the generator fits."""
    name = os.environ.get("CHIPYARD")
    if not name:
        raise ui.Error("where is Chipyard? Say CHIPYARD=<its folder>")
    root = Path(name).expanduser().resolve()
    if not (root / "build.sbt").is_file() or not (root / "generators" / "chipyard").is_dir():
        raise ui.Error(f"{root} is not a Chipyard checkout (no build.sbt and generators/chipyard)")
    testchipip = root / "generators" / "testchipip"
    if not (testchipip / "src").is_dir():
        raise ui.Error(f"{root} has no submodules yet: run its build-setup.sh first")
    if not (testchipip / "src/main/scala/soc/SubsystemInjector.scala").is_file():
        raise ui.Error(f"{root} is too old: its testchipip has no SubsystemInjector (compiled with: Chipyard {COMPILED_WITH})")
    return root


def _links(root: Path) -> dict:
    """{place in Chipyard: what it points to}."""
    generator = root / "generators" / "blockzero"
    return {
        generator / "engine": ROOT / "hardware" / "src" / "main" / "scala",
        generator / "tilelink": ROOT / "generators" / "tilelink",
        generator / "configs": ROOT / "generators" / "chipyard",
        root / "generators" / "chipyard" / "blockzero.sbt": ROOT / "generators" / "blockzero.sbt",
    }


def link() -> None:
    """Makes the links; those that are there already stay."""
    root = _checkout()
    links = _links(root)
    for place, target in links.items():
        if place.is_symlink() and place.resolve() != target.resolve():
            raise ui.Error(f"{place} is linked elsewhere, to {os.readlink(place)}; 'make chipyard-unlink' there first")
        if place.exists() and not place.is_symlink():
            raise ui.Error(f"{place} is there, and is no link: not ours to replace")
    for place, target in links.items():
        place.parent.mkdir(exist_ok=True)
        if not place.is_symlink():
            place.symlink_to(target)
    print(COMMANDS.format(root=root))


def unlink() -> None:
    """Removes the links, and nothing else."""
    root = _checkout()
    for place in _links(root):
        if place.is_symlink():
            place.unlink()
    generator = root / "generators" / "blockzero"
    if generator.is_dir() and not any(generator.iterdir()):
        generator.rmdir()
    ui.say(f"{root} is as it was without BlockZero")
