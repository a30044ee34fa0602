# SPDX-License-Identifier: BSD-3-Clause
"""Linux's fault rates in Chipyard and FireSim, on SoCs with an L2 cache, beside the stand-alone SoC's, which has none. From result files alone."""

from pathlib import Path

from . import clearing, report

PAGE = "chipyard-faults"


def published() -> list:
    return sorted(report.PUBLISHED.glob("faults-*.jsonl"))


def is_one(origin: dict, records: list) -> bool:
    """Whether a result is of Linux in Chipyard or FireSim."""
    return "chipyard" in origin and any(record.get("test") == "pft" for record in records)


def table(files: list) -> str:
    """A row for each kind of fault and machine that measured it."""
    tables = {clearing.name(report.load(path)[0]): report.collect(report.load(path)[1]) for path in files}
    alone = report.collect(report.load(report.PUBLISHED / "bench.jsonl")[1])
    modes = [mode for mode in report.MODES if any(mode in row for found in tables.values() for row in found.values())]
    lines = ["| what faults | machine | " + " | ".join(report.TITLES[mode] for mode in modes) + " |", "|---|---|" + "---:|" * len(modes)]
    for case in dict.fromkeys(case for found in tables.values() for case in found):
        for machine, found in {"stand-alone, no L2": alone, **tables}.items():
            row = found.get(case)
            if row:
                cells = [report.cell(row.get(mode, []), row.get("stock", [])) for mode in modes]
                lines.append(f"| {case} | {machine} | {' | '.join(cells)} |")
    return "\n".join(lines)


def page(files: list) -> str:
    """chipyard-faults.md, from result files of `make chipyard-faults` and `make firesim-results`."""
    return "\n".join([
        "# Page faults in Chipyard and FireSim", "",
        f"Page faults a millisecond at 100 MHz, and the ratio to stock on the same machine. {report.COLUMNS}", "",
        "In Chipyard's simulator every mode has a boot of its own, and one round.", "",
        "The stand-alone SoC has no L2 cache: pages that were zeroed ahead are in DRAM there. In Chipyard they may be in the L2.", "",
        table(files), "",
        "Measured with", "",
        *clearing.revisions(files), ""])


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows of its configuration; the files written."""
    written = [report.PUBLISHED / f"{report.run_name(path)}.jsonl", report.PUBLISHED / f"{PAGE}.md"]
    report.show(path, written[0])
    written[1].write_text(page(published()))
    return written
