# SPDX-License-Identifier: BSD-3-Clause
"""What a result was measured on: enough to repeat it."""

from dataclasses import asdict
from pathlib import Path

from .. import ui
from ..building import cache, debian, kernel, rtl, tools
from ..config import Config
from ..paths import ROOT

CHIPYARD_PARTS = ("generators/rocket-chip", "generators/rocket-chip-inclusive-cache", "generators/testchipip", "tools/DRAMSim2")


def _git(root: Path, *arguments: str) -> str:
    try:
        return ui.output(["git", "-C", root, *arguments]).strip()
    except ui.Error:
        return "unknown"


def repository() -> dict:
    """This repository, now. To be taken before anything is built: later it need not be what was built."""
    status = _git(ROOT, "status", "--porcelain", "--untracked-files=all")
    new = [ROOT / line[3:] for line in status.splitlines() if line.startswith("?? ")]
    stamps = [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in new if path.exists()]
    return {"git": _git(ROOT, "rev-parse", "HEAD"), "git_dirty": bool(status),
            "git_changes": cache.digest([_git(ROOT, "diff", "HEAD"), status, *stamps]) if status else ""}


def revision(origin: dict) -> str:
    """For people: where a result's sources are."""
    changed = " with changes" if origin["git_dirty"] else ", changed while it was built" if origin.get("git_changed") else ""
    return origin["git"][:12] + changed


def standalone(config: Config) -> dict:
    """Of a run on the stand-alone SoC; builds its RTL."""
    return {
        "config": asdict(config),
        "soc": rtl.soc(config),
        "linux": debian.version(kernel.PACKAGE),
        "opensbi": debian.version("opensbi"),
        "compiler": tools.cross_compiler(),
        "requirements": [line.split()[0] for line in tools.REQUIREMENTS.read_text().splitlines() if "==" in line],
    }


def _changed(root: Path) -> bool:
    """Whether a checkout has changes in files that git knows. Links of ours are none of those."""
    return bool(_git(root, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=untracked"))


def chipyard(root: Path, config: str, flags: list) -> dict:
    """Of a run on a simulator that the Chipyard checkout `root` built; flags are the simulator's."""
    return {
        "chipyard": _git(root, "rev-parse", "HEAD"),
        "submodules": {name: _git(root / name, "rev-parse", "HEAD") for name in CHIPYARD_PARTS},
        "changed": [name for name in (".", *CHIPYARD_PARTS) if _changed(root / name)],
        "config": config,
        "flags": [flag.replace(str(root), "CHIPYARD") for flag in flags],
        "compiler": tools.cross_compiler(),
    }


def firesim(root: Path, target: str) -> dict:
    """Of a run of FireSim, in the Chipyard checkout `root`; target is the build recipe."""
    home = root / "sims" / "firesim"
    return {**chipyard(root, target, []), "firesim": _git(home, "rev-parse", "HEAD"), "firesim_changed": _changed(home)}
