# SPDX-License-Identifier: BSD-3-Clause
"""What BlockZero found, for README: a picture and a few sentences, from the published result file of `make bench`."""

import re
from pathlib import Path

from ..paths import ROOT
from . import report

README = ROOT / "README.md"
PICTURE = report.PUBLISHED / "headline.png"
BEGIN, END = "<!-- headline: made by make publish -->\n", "<!-- end of headline -->\n"
CASES = {"4 KiB page": "4 KiB, 1 line touched", "64 KiB folio": "64 KiB, 1 line touched", "2 MiB huge page": "2 MiB, 1 line touched"}
BARS = {"stock": "Linux today: the CPU clears the memory in the fault", "demand": "the engine clears it in the fault",
        "engine": "kscrubd and the engine cleared it before"}


def ratio(row: dict, mode: str) -> str:
    """How much faster than stock, of a row of report.collect()."""
    value = min(row["stock"]) / min(row[mode])
    return f"{value:.1f}x" if value < 10 else f"{value:.0f}x"


def text(path: Path) -> str:
    """Markdown, from a result file."""
    _, records = report.load(path)
    table, scrub = report.collect(records), report.scrub_costs(records)
    small, whole = table[CASES["4 KiB page"]], table["4 KiB, 64 lines touched"]
    larger = " and ".join(f"{ratio(table[case], 'engine')} for a {name}" for name, case in CASES.items() if name != "4 KiB page")
    return f"""![Duration of a page fault, relative to Linux today]({PICTURE.relative_to(ROOT)})

- A page fault that finds its memory cleared before is {ratio(small, 'engine')} as fast for a 4 KiB page, {larger}.
- Clearing a free page ahead of need costs the CPU {scrub['cpu']:.0f} cycles by its own stores, and {scrub['engine']:.0f} with the engine.
- A program that uses all of a 4 KiB page at once gains less. Its fault is {ratio(whole, 'engine')} as fast if the page was cleared before, and
  {ratio(whole, 'demand')} as fast if the engine clears it in the fault: the page is not in the CPU's cache then.
"""


def _plot(path: Path, to: Path) -> None:
    """Bars of a fault's duration, three for each size."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # pylint: disable=import-outside-toplevel

    origin, records = report.load(path)
    table = report.collect(records)
    figure, axes = plt.subplots(figsize=(9, 4.6), layout="constrained")
    for n, (name, case) in enumerate(CASES.items()):
        stock = min(table[case]["stock"])
        for m, mode in enumerate(BARS):
            cycles = min(table[case][mode])
            y = -(n * (len(BARS) + 1) + m)
            axes.barh(y, cycles / stock, 0.85, color=report.COLOURS[mode], label=BARS[mode] if n == 0 else None)
            end, at = (cycles / stock, y), "data"  # of the bar, or of what stands behind it
            if mode != "stock":
                at = axes.annotate(f"{ratio(table[case], mode)} as fast", end, (5, 0), textcoords="offset points", va="center", fontsize=11, fontweight="bold")
                end = (1, 0.5)
            axes.annotate(f"{cycles:,.0f}".replace(",", "\u2009") + " cycles", end, (6, 0), xycoords=at, textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks([-(n * (len(BARS) + 1) + 1) for n in range(len(CASES))], CASES, fontsize=11)
    axes.set_xlim(0, 1.2)
    axes.set_xticks([])
    axes.tick_params(left=False)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    figure.legend(loc="outside upper left", frameon=False, fontsize=10, title="How long a page fault takes (shorter is better)",
                  title_fontproperties={"size": 14, "weight": "bold"}, alignment="left", borderpad=0.2)
    figure.text(0.99, 0.01, f"Rocket {origin['soc']['rocket']}, Linux {origin['linux'].split('-')[0]}, simulated cycle by cycle in Verilator",
                ha="right", fontsize=8, color="#555555")
    figure.savefig(to, dpi=150)


def readme(now: str, path: Path) -> str:
    """README, with the findings of a result between the two marks."""
    return re.sub(f"{BEGIN}.*?{END}", lambda _: BEGIN + text(path) + END, now, flags=re.S)


def publish(path: Path) -> list:
    """Puts the findings of a result into README; the files written."""
    _plot(path, PICTURE)
    README.write_text(readme(README.read_text(), path))
    return [README, PICTURE]
