# SPDX-License-Identifier: BSD-3-Clause
"""Rocket's published Verilog, with our RelaxedFifo in the place of one of its modules where the front port is relaxed."""

import re
from pathlib import Path

from .. import ui
from . import tools

# From the top: the coupler of the front port, and in it the module that keeps responses in order.
TOP, COUPLER, FIXER = "ExampleRocketSystem", "subsystem_fbus_coupler_from_port_named_slave_port_axi4", "fixer"
OURS = "RelaxedFifo"


def files(rocket: str) -> list:
    """The sources of one configuration; the first has all of Rocket, the others what it is built upon."""
    home = tools.rocket_verilog()
    generated = home / "generated-src" / f"freechips.rocketchip.system.{rocket}"
    return [Path(f"{generated}.v"), Path(f"{generated}.behav_srams.v"),
            *(home / "vsrc" / name for name in ("plusarg_reader.v", "EICG_wrapper.v", "AsyncResetReg.v"))]


def _module(text: str, name: str) -> str:
    found = re.findall(rf"^module {name}\(.*?^endmodule", text, re.M | re.S)
    if len(found) != 1:
        raise ui.Error(f"this Rocket has {len(found)} modules named {name}, one is expected: {OURS} (PORT=relaxed) does not fit it")
    return found[0]


def _of(module: str, instance: str) -> str:
    """The name of the module that an instance is of."""
    found = re.findall(rf"^  (\w+) {instance} \(", module, re.M)
    if len(found) != 1:
        raise ui.Error(f"this Rocket has {len(found)} instances named {instance}, one is expected: {OURS} (PORT=relaxed) does not fit it")
    return found[0]


def ports(module: str) -> set:
    """(direction, width, name) of every port of a module; a port without a type has that of the port before it."""
    header = re.match(r"module \w+\((.*?)\);", module, re.S)[1]
    found, kind = set(), ("", "")
    for direction, width, name in re.findall(r"(?:(input|output)\s+)?(\[\d+:\d+\]\s*)?(\w+)\s*(?:,|$)", re.sub(r"//.*", "", header)):
        if direction or width:
            kind = (direction or kind[0], width.strip())
        found.add((*kind, name))
    return found


def relaxed(text: str, ours: str) -> str:
    """Rocket's Verilog with an instance of RelaxedFifo, whose Verilog is `ours`, as the front port's fixer; an Error where that does not fit."""
    coupler_name = _of(_module(text, TOP), COUPLER)
    coupler = _module(text, coupler_name)
    fixer_name = _of(coupler, FIXER)
    uses = len(re.findall(rf"^  {coupler_name} \w+ \(", text, re.M))
    if uses != 1:
        raise ui.Error(f"this Rocket uses {coupler_name} in {uses} places: {OURS} (PORT=relaxed) would change more than the front port")
    differences = ports(_module(text, fixer_name)) ^ ports(_module(ours, OURS))
    if differences:
        raise ui.Error(f"{OURS} and this Rocket's {fixer_name} have different ports: {', '.join(sorted({name for *_, name in differences}))}")
    return text.replace(coupler, coupler.replace(f"  {fixer_name} {FIXER} (", f"  {OURS} {FIXER} ("))
