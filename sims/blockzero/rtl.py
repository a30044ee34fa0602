# SPDX-License-Identifier: BSD-3-Clause
"""Chisel to SystemVerilog."""

import json
from pathlib import Path

from . import cache, tools
from .config import Config
from .paths import HARDWARE


def verilog(config: Config) -> Path:
    """The SoC's SystemVerilog and soc.json."""
    def make(partial: Path, log: Path) -> None:
        tools.sbt([f"runMain blockzero.soc.Emit {partial} {config.rocket} {config.port}"], log)
    sources = [HARDWARE / "build.sbt", HARDWARE / "project", HARDWARE / "src" / "main"]
    return cache.build("rtl", [*sources, config.rocket, config.port], make, f"rtl: {config.rocket}, {config.port} front port, in Chisel",
                       "2 minutes")


def soc(config: Config) -> dict:
    return json.loads((verilog(config) / "soc.json").read_text())
