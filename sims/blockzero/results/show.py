# SPDX-License-Identifier: BSD-3-Clause
"""What a set's runs found, on the terminal, and as files beside its results."""

from pathlib import Path

from .. import ui
from ..running import runs
from . import curves, layouts, report, rivals

PAGES = {"rivals": rivals.page, "layouts": layouts.page}  # of sets whose question the table of fault rates does not answer


def _text(path: Path) -> str:
    """Shows a result file; where there are plots, they go beside it."""
    origin, _ = report.load(path)
    if origin.get("set") in PAGES:
        return PAGES[origin["set"]](path)
    if origin.get("over"):
        curves.plot(path, path.with_name("curves"))
        return f"{curves.page(path)}\npicture: {path.with_name('curves')}.png, .svg"
    return report.shown(path, path.with_name("report"))


def show() -> None:
    """Shows the result that RESULTS names."""
    found = runs.named()
    if len(found) != 1:
        raise ui.Error("RESULTS must name one run")
    print(f"\n{_text(found[0])}\n\nresults: {found[0]}")
