# SPDX-License-Identifier: BSD-3-Clause
"""The timing diagram of docs/registers.md, drawn from the WaveJSON that a simulation of the engine wrote (JobDiagramSpec)."""

import json
from itertools import groupby
from pathlib import Path

from ..building import cache
from ..paths import ROOT

SOURCE = ROOT / "docs" / "job-timing.json"
WIDTH, HEIGHT = 0.42, 0.5  # inches, of a cycle and of a signal


def levels(signal: dict) -> list:
    """What a signal is in each cycle: a text, or None where it carries nothing."""
    data, now, found = iter(signal.get("data", [])), None, []
    for letter in signal["wave"]:
        if letter != ".":
            now = None if letter == "x" else next(data) if letter == "=" else letter
        found.append(now)
    return found


def digest() -> str:
    """Of what the diagram was drawn from."""
    return cache.digest([SOURCE])


def draw(to: Path = SOURCE.with_suffix(".svg")) -> Path:
    """Draws it; the file."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "blockzero", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    signals = [signal for signal in json.loads(SOURCE.read_text())["signal"] if signal["name"] != "clock"]
    cycles = len(signals[0]["wave"])
    figure, axes = pyplot.subplots(figsize=(1.6 + WIDTH * cycles, HEIGHT * (len(signals) + 1)))
    for row, signal in enumerate(signals):
        base, begin = -row, 0
        axes.text(-0.3, base + 0.3, signal["name"], ha="right", va="center")
        for value, run in groupby(levels(signal)):
            end = begin + len(list(run))
            if value is None:
                axes.plot([begin, end], [base + 0.3] * 2, color="0.7", lw=1)
            elif value in "01" and "data" not in signal:
                axes.plot([begin, end], [base + 0.6 * int(value)] * 2, color="tab:blue", lw=1.5)
                if begin:
                    axes.plot([begin] * 2, [base, base + 0.6], color="tab:blue", lw=1.5)
            else:
                axes.add_patch(pyplot.Rectangle((begin, base), end - begin, 0.6, facecolor="#dce9f5", edgecolor="tab:blue", lw=1.2))
                axes.text((begin + end) / 2, base + 0.3, value, ha="center", va="center", fontsize=6 if len(value) > 2 else 9)
            begin = end
    for cycle in range(cycles):
        axes.axvline(cycle, color="0.9", lw=0.6, zorder=0)
        axes.text(cycle + 0.5, 0.95, str(cycle), ha="center", color="0.5", fontsize=7)
    axes.set(xlim=(-0.1, cycles), ylim=(0.9 - len(signals), 1.2))
    axes.axis("off")
    figure.savefig(to, bbox_inches="tight", metadata={"Date": None, "Description": digest()})
    pyplot.close(figure)
    return to
