# SPDX-License-Identifier: BSD-3-Clause
"""`make publish`: makes results those that the documentation shows."""

from pathlib import Path

from .. import ui
from ..paths import ROOT
from ..running import runs
from . import clearing, headline, layouts, report, rivals


def _bench(path: Path) -> list:
    """The page of fault rates, and what README says of them."""
    return [*report.publish(path), *headline.publish(report.PUBLISHED / "bench.jsonl")]


PUBLISHERS = {"bench": _bench, "rivals": rivals.publish, "layouts": layouts.publish, "chipyard": clearing.publish, "firesim": clearing.publish}


def _kind(name: str) -> str:
    return name.split("-")[0]


def publish() -> None:
    """Those that RESULTS names, and no others."""
    found = {}
    for path in runs.named():
        name = report.run_name(path)
        if _kind(name) not in PUBLISHERS:
            raise ui.Error(f"{path}: no page shows such a result; there are pages of {', '.join(PUBLISHERS)}")
        if name in found:
            raise ui.Error(f"RESULTS names two runs of {name}: {found[name]} and {path}")
        found[name] = path
    if not found:
        latest = [str(home.relative_to(ROOT)) for name, home in runs.latest().items() if _kind(name) in PUBLISHERS]
        raise ui.Error("which results? " + (f"The latest: make publish RESULTS='{' '.join(latest)}'" if latest else "There are none yet; run 'make bench'"))
    for name, path in found.items():
        print("written:", *PUBLISHERS[_kind(name)](path), sep="\n  ")
