# SPDX-License-Identifier: BSD-3-Clause
"""Tables in the cover letters of the kernel series, from published result files."""

import re
from pathlib import Path
from statistics import mean, stdev

from ..building import kernel
from ..running import provenance
from . import layouts, report

BENCH, LAYOUTS = report.PUBLISHED / "bench.jsonl", report.PUBLISHED / "layouts.jsonl"
COLUMNS = {"a": {"stock": "today", "cpu": "kscrubd", "none": "no clearing"},
           "b": {"stock": "today", "engine": "kscrubd", "demand": "in the fault", "none": "no clearing"}}


def _cell(name: str, row: dict, mode: str) -> str:
    if mode not in row:
        return "-"
    return f"{min(row[mode]):.0f}" if mode == "stock" else f"{min(row['stock']) / min(row[mode]):.2f}x"


def faults(part: str, path: Path = BENCH) -> str:
    """Cycles of a page fault, and how many times faster it is."""
    origin, records = report.load(path)
    columns = COLUMNS[part]
    names = {name: row for name, row in report.collect(records).items() if len(set(columns) & set(row)) == len(columns) or part == "b"}
    rows = [["", *columns.values()]] + [[name, *(_cell(name, row, mode) for mode in columns)] for name, row in names.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  " + "  ".join(text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    return "\n".join(["Cycles of a page fault today, and how many times faster it is:", "", *lines, "",
                      f"(Rocket {origin['soc']['rocket']} in Verilator; revision {provenance.revision(origin)}.)"])


def off(path: Path = LAYOUTS) -> str:
    """What the series costs while everything is switched off."""
    _, records = report.load(path)
    lines = []
    for title, values in layouts.comparisons(layouts.of_layouts(records)):
        found = re.match(r"(.*): the series, all off, to no patch", title)
        if found:
            moved = [(value - 1) * 100 for value in values[1:]]
            lines.append(f"  {found[1]}: {mean(moved):+.2f}% +- {stdev(moved) / len(moved) ** 0.5:.2f}%")
    return "\n".join([f"With everything off, over {len(moved)} layouts of the kernel's code, a page fault costs:", "", *lines])


def tables(part: str) -> list:
    """Those that a part's letter has."""
    return {"a": [faults("a"), off()], "b": [faults("b")], "c": []}[part]


def publish() -> list:
    """Puts tables of the published results in the place of the older ones; the files written."""
    written = []
    for part in kernel.PARTS:
        path = kernel.PATCHES / part / kernel.LETTER
        now = path.read_text()
        for table in tables(part):
            first = re.escape(table.splitlines()[0].split(",")[0])
            end = r"\n\([^\n]*\)" if table.endswith(")") else r"(?=\n\n[^ ])"
            now = re.sub(rf"{first}.*?{end}", lambda _, table=table: table, now, count=1, flags=re.S)
        path.write_text(now)
        written.append(path)
    return written
