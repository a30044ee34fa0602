# SPDX-License-Identifier: BSD-3-Clause
"""What a result was measured on: enough to repeat it."""

import subprocess
from dataclasses import asdict
from pathlib import Path

from . import debian, kernel, rtl, tools
from .config import Config
from .paths import ROOT

CHIPYARD_PARTS = ("generators/rocket-chip", "generators/rocket-chip-inclusive-cache", "generators/testchipip", "tools/DRAMSim2")


def _git(*arguments: str, cwd: Path = ROOT) -> str:
    result = subprocess.run(["git", "-C", str(cwd), *arguments], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else "unknown"


def _here() -> dict:
    return {"git": _git("rev-parse", "HEAD"), "git_dirty": bool(_git("status", "--porcelain"))}


def standalone(config: Config) -> dict:
    """Of a run on the stand-alone SoC."""
    return {
        **_here(),
        "config": asdict(config),
        "soc": rtl.soc(config),
        "linux": debian.version(kernel.PACKAGE),
        "opensbi": debian.version("opensbi"),
        "compiler": tools.cross_compiler(),
        "requirements": [line.split()[0] for line in tools.REQUIREMENTS.read_text().splitlines() if "==" in line],
    }


def chipyard(root: Path, config: str, flags: list) -> dict:
    """Of a run on a simulator that the Chipyard checkout `root` built; flags are the simulator's."""
    return {
        **_here(),
        "chipyard": _git("rev-parse", "HEAD", cwd=root),
        "submodules": {name: _git("rev-parse", "HEAD", cwd=root / name) for name in CHIPYARD_PARTS},
        "config": config,
        "flags": [flag.replace(str(root), "CHIPYARD") for flag in flags],
        "compiler": tools.cross_compiler(),
    }


def firesim(root: Path, target: str) -> dict:
    """Of a run of FireSim, in the Chipyard checkout `root`; target is the build recipe."""
    return {**chipyard(root, target, []), "firesim": _git("rev-parse", "HEAD", cwd=root / "sims" / "firesim")}
