# SPDX-License-Identifier: BSD-3-Clause
"""What a set's runs found, on the terminal, and as files beside its results."""

import json
from pathlib import Path

from .. import ui
from ..running import runs
from . import curves, cycles, layouts, profile, report, rivals, seeds

PAGES = {"rivals": rivals.page, "layouts": layouts.page, "cycles": cycles.page, "seeds": seeds.page}  # of sets whose question the table of fault rates does not answer


FUNCTIONS = 25  # of a profile, shown on the terminal


def _profiles(path: Path, symbols: list) -> str:
    """Where the cycles of each run went."""
    text = []
    for samples in sorted(path.parent.rglob("samples.txt")):
        rows = profile.write(samples, symbols, samples.parent)
        lines = [f"{cycles:12} {share:6.1%}  {function}" for function, cycles, share in rows[:FUNCTIONS]]
        text += [f"{samples.parent.name}: cycles by function", *lines, f"flame graph: {samples.with_name('profile.html')}", ""]
    return "\n".join(text)


def _text(path: Path) -> str:
    """Shows a result file; where there are plots, they go beside it."""
    origin, records = report.load(path)
    symbols = path.with_name("symbols.json")
    if symbols.exists():
        return _profiles(path, [Path(name) for name in json.loads(symbols.read_text())])
    if origin.get("set") in PAGES:
        return PAGES[origin["set"]](path)
    if origin.get("over"):
        stem = path.with_name(curves.name(path))
        curves.plot(path, stem)
        return f"{curves.page(path)}\npicture: {stem}.png, .svg"
    if not any(record.get("test") == "pft" for record in records):  # of a user's own program
        return "\n".join(json.dumps(record) for record in records)
    return report.shown(path, path.with_name("report"))


def show() -> None:
    """Shows the result that RESULTS names."""
    found = runs.named()
    if len(found) != 1:
        raise ui.Error("RESULTS must name one run")
    print(f"\n{_text(found[0])}\n\nresults: {found[0]}")
