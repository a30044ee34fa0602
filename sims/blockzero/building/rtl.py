# SPDX-License-Identifier: BSD-3-Clause
"""Chisel to SystemVerilog."""

import json
from pathlib import Path

from ..config import Config
from ..paths import HARDWARE
from . import cache, tools


def verilog(config: Config) -> Path:
    """The SoC's SystemVerilog and soc.json."""
    parameters = [config.rocket, config.port, *map(str, (config.channels, config.queue, config.inflight, config.windows))]

    def make(partial: Path, log: Path) -> None:
        tools.sbt([f"runMain blockzero.soc.Emit {partial} {' '.join(parameters)}"], log)
    sources = [HARDWARE / "build.sbt", HARDWARE / "project", HARDWARE / "src" / "main"]
    return cache.build("rtl", [*sources, *parameters], make, f"rtl: {config.rocket}, {config.port} front port, in Chisel",
                       "2 minutes")


def soc(config: Config) -> dict:
    return json.loads((verilog(config) / "soc.json").read_text())
