# SPDX-License-Identifier: BSD-3-Clause
"""What a user may choose, as make variables of the same names."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from . import ui

ROCKETS = ("LitexFullConfig", "LitexFull4DConfig")
PORTS = ("ordered", "relaxed")
VARIANTS = ("fast", "checked", "trace")
CHOICES = ("CONFIG", "PORT", "VARIANT", "RAM", "READ_LATENCY", "WRITE_LATENCY", "BANDWIDTH", "CHANNELS", "QUEUE", "INFLIGHT", "WINDOWS")
ENGINE = ("CHANNELS", "QUEUE", "INFLIGHT", "WINDOWS")
HARDWARE = ("CONFIG", "PORT", *ENGINE)  # those that change the RTL


def _choice(chosen: Mapping, name: str, default: str, values: tuple) -> str:
    value = chosen.get(name) or default
    if value not in values:
        raise ui.Error(f"{name}={value}: must be one of {', '.join(values)}")
    return value


def number(name: str, default: int, low: int, high: int, chosen: Mapping = os.environ) -> int:
    """The make variable's value; an Error if it is not a number in this range."""
    text = str(chosen.get(name) or default)
    if not (text.isascii() and text.isdigit()) or not low <= int(text) <= high:
        raise ui.Error(f"{name}={text}: must be a number from {low} to {high}")
    return int(text)


def _power_of_two(chosen: Mapping, name: str, default: int, low: int, high: int) -> int:
    value = number(name, default, low, high, chosen)
    if value & (value - 1):
        raise ui.Error(f"{name}={value}: must be a power of two from {low} to {high}")
    return value


@dataclass(frozen=True)
class Config:
    """One system to simulate."""

    rocket: str = ROCKETS[0]     # CONFIG: Rocket configuration, one core or four
    port: str = PORTS[0]         # PORT: front port, as published or with eight blocks in flight
    variant: str = VARIANTS[0]   # VARIANT: of the simulator: fast, with all assertions, or with waveforms
    ram_mib: int = 24            # RAM: MiB
    read_latency: int = 30       # READ_LATENCY: cycles, at Rocket's memory port
    write_latency: int = 6       # WRITE_LATENCY: cycles, likewise
    bandwidth: int = 16          # BANDWIDTH: bytes a cycle
    channels: int = 2            # CHANNELS: of the engine
    queue: int = 16              # QUEUE: jobs that a channel holds, a power of two
    inflight: int = 16           # INFLIGHT: blocks that the engine has under way at most
    windows: int = 4             # WINDOWS: of the engine's guard

    @staticmethod
    def of(chosen: Mapping) -> "Config":
        """From values of make variables; what is not chosen is as it is by default."""
        d = Config()

        def value(name: str, otherwise: int, low: int, high: int) -> int:
            return number(name, otherwise, low, high, chosen)
        return Config(_choice(chosen, "CONFIG", d.rocket, ROCKETS), _choice(chosen, "PORT", d.port, PORTS),
                      _choice(chosen, "VARIANT", d.variant, VARIANTS),
                      value("RAM", d.ram_mib, 16, 1024), value("READ_LATENCY", d.read_latency, 2, 10000),
                      value("WRITE_LATENCY", d.write_latency, 2, 10000), value("BANDWIDTH", d.bandwidth, 1, 1024),
                      value("CHANNELS", d.channels, 1, 7), _power_of_two(chosen, "QUEUE", d.queue, 2, 128),
                      value("INFLIGHT", d.inflight, 1, 64), value("WINDOWS", d.windows, 1, 16))

    @staticmethod
    def from_environment() -> "Config":
        """The user's choices."""
        return Config.of(os.environ)

    @property
    def smp(self) -> bool:
        return self.rocket != "LitexFullConfig"
