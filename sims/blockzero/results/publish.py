# SPDX-License-Identifier: BSD-3-Clause
"""`make publish`: makes results those that the documentation shows."""

from pathlib import Path

from .. import ui
from ..paths import ROOT
from ..running import runs
from . import area, clearing, coverage, curves, cycles, findings, headline, html, l2, layouts, letter, proofs, report, rivals, seeds


def _bench(path: Path) -> list:
    """The page of fault rates, and what README says of them."""
    missing = headline.CASES.values() - report.collect(report.load(path)[1]).keys()
    if missing:
        raise ui.Error(f"{path} has no {', '.join(sorted(missing))}, which README shows; publish a result of make bench")
    return [*report.publish(path), *headline.publish(report.PUBLISHED / "bench.jsonl"), *letter.publish()]


PUBLISHERS = {"bench": _bench, "curves": curves.publish, "cycles": cycles.publish, "rivals": rivals.publish,
              "layouts": lambda path: [*layouts.publish(path), *letter.publish()], "clearing": clearing.publish, "area": area.publish,
              "prove": proofs.publish, "coverage": coverage.publish,
              "seeds": seeds.publish, "l2": l2.publish}


def publish() -> None:
    """Those that RESULTS names, and no others."""
    found = {}
    for path in runs.named():
        page = (html.kind(path), report.run_name(path))
        if page in found:
            raise ui.Error(f"RESULTS names two runs of {page[1]}: {found[page]} and {path}")
        found[page] = path
    if not found:
        latest = [str(home.relative_to(ROOT)) for name, home in runs.latest().items() if name in ("faults", "rivals", "layouts")]
        raise ui.Error("which results? " + (f"The latest: make publish RESULTS='{' '.join(latest)}'" if latest else "There are none yet; run 'make bench'"))
    for (kind, _), path in found.items():
        print("written:", *PUBLISHERS[kind](path), findings.write(), sep="\n  ")
