# SPDX-License-Identifier: BSD-3-Clause
"""What a fault costs wherever the kernel's code happens to lie: kernels whose functions are moved about. Table, from a result file alone.

One layout is one sample: code that shares sets of the I-cache costs a fault some percent, and any change of any file moves what
lies behind it (Mytkowicz et al., ASPLOS 2009; Curtsinger and Berger, Stabilizer, ASPLOS 2013). Each of the functions
below begins in the same sets of the I-cache with the series and without, so that code that is the same in both lies alike.
The series' first patch adds nothing and has no switch, it only keeps code out of line; a kernel with that one alone shows what is its own.
"""

from pathlib import Path
from statistics import mean, stdev

from ..building import layout
from ..running import provenance
from . import report

NAME = "layouts"
NAMES = {"all": "the series, all off", "first": "its first patch alone", "none": "no patch"}


def of_layouts(records: list) -> list:
    """Those of faults, with the layout and the patches of their kernels. Older results have these by themselves."""
    found = [record for record in records if record.get("test") == "pft"]
    return [{**record, "layout": record["choices"]["LAYOUT"], "patches": record["choices"]["PATCHES"]} if "choices" in record else record for record in found]


def ratios(records: list, of: dict, to: dict, key: str = "cycles") -> list:
    """A folio's cost in records that have `of`, over that in records that have `to`: one value a layout with both, from the best rounds."""
    def best(layout: int, which: dict) -> float:
        return min(r[key] / r["folios"] for r in records if {**which, "layout": layout}.items() <= r.items())

    have_of, have_to = ({r["layout"] for r in records if which.items() <= r.items()} for which in (of, to))
    return [best(layout, of) / best(layout, to) for layout in sorted(have_of & have_to)]


def comparisons(records: list) -> list:
    """[(what is compared, its ratios as of ratios())], for the table."""
    found = []
    for touched in (1, 64):
        for key in ("cycles", "instructions"):
            which = {"mode": "stock", "lines": touched}
            for of, to in (("all", "none"), ("first", "none"), ("all", "first")):
                title = f"4 KiB, {touched} line{'s' if touched > 1 else ''} touched, {key}: {NAMES[of]}, to {NAMES[to]}"
                found.append((title, ratios(records, {**which, "patches": of}, {**which, "patches": to}, key)))
    for folio, touched in ((4, 1), (4, 8), (16, 1), (64, 1)):
        which = {"folio_kib": folio, "lines": touched}
        title = f"{folio} KiB, {touched} line{'s' if touched > 1 else ''} touched: zeroed ahead by the engine, to no zeroing"
        found.append((title, ratios(records, {**which, "mode": "engine"}, {**which, "mode": "none"})))
    return found


def _row(title: str, values: list) -> str:
    built, *moved = [(value - 1) * 100 for value in values]
    return (f"| {title} | {len(moved)} | {mean(moved):+.2f}% ± {stdev(moved) / len(moved) ** 0.5:.2f}% | {min(moved):+.1f}% | {max(moved):+.1f}% "
            f"| {built:+.1f}% |")


def page(path: Path) -> str:
    origin, records = report.load(path)
    records = of_layouts(records)
    lines = ["# A fault's cost, wherever the code lies", "",
             "Kernels without the series, with its first patch alone and with all of it, in layouts that differ in where in a way of the "
             f"I-cache the functions begin that a fault runs through (seed {origin.get('seed', layout.SEED)}); the same ones begin at the same place in all "
             "three kernels. Over these layouts: the mean and its standard error, the least and the most. And the kernels as they are otherwise "
             "built, which are not among them. The first patch keeps a function out of line and has no switch; what the rest costs while it "
             "is off, the third row of each three says. "
             f"Rocket {origin['soc']['rocket']}, {origin['config']['port']} front port; Linux {origin['linux']}, revision {provenance.revision(origin)}.", "",
             "| cost of a fault | layouts | mean | least | most | as built |", "|---|---:|---:|---:|---:|---:|"]
    lines += [_row(title, values) for title, values in comparisons(records)]
    gain = [1 / value for value in ratios(records, {"mode": "engine", "folio_kib": 4, "lines": 1}, {"mode": "stock", "lines": 1, "patches": "none"})]
    lines += ["", f"A fault of 4 KiB, 1 line touched, zeroed ahead by the engine is {mean(gain):.2f}x ({min(gain):.2f}x to {max(gain):.2f}x) as fast as "
                  "without the series."]
    return "\n".join(lines) + "\n"


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows; the files written."""
    return report.publish_page(path, NAME, page, NAME)
