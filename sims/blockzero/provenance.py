# SPDX-License-Identifier: BSD-3-Clause
"""What a result was measured on: enough to repeat it."""

import subprocess
from dataclasses import asdict

from . import kernel, rtl, tools
from .config import Config
from .paths import ROOT


def _git(*arguments: str) -> str:
    result = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else "unknown"


def record(config: Config) -> dict:
    """The first line of a result file."""
    return {
        "provenance": {
            "git": _git("rev-parse", "HEAD"),
            "git_dirty": bool(_git("status", "--porcelain")),
            "config": asdict(config),
            "soc": rtl.soc(config),
            "linux": tools.package_version(kernel.PACKAGE),
            "opensbi": tools.package_version("opensbi"),
            "compiler": tools.version([f"{tools.CROSS}gcc", "--version"]),
            "requirements": [line.split()[0] for line in tools.REQUIREMENTS.read_text().splitlines() if "==" in line],
        }
    }
