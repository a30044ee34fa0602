# SPDX-License-Identifier: BSD-3-Clause
"""Huge pages cleared in their fault on four cores: by one, by several, by the engine. Table, from a result file alone."""

from pathlib import Path

from ..running import provenance
from . import report

NAME = "rivals"
TITLES = {"stock": "the CPU", "workers1": "the CPU and 1 worker", "workers2": "the CPU and 2 workers", "workers4": "the CPU and 4 workers",
          "demand": "the engine"}


def cycles(record: dict, key: str) -> float:
    """Of a folio; key: 'fault_ns', the time it takes, or 'cpu_ns', what all tasks spend on it."""
    return record[key] * record["mhz"] / 1000 / record["folios"]


def costs(records: list, key: str) -> dict:
    """{mode: [cycles a huge page, one a round]}, as cycles() has them."""
    found = {mode: [cycles(r, key) for r in records if r.get("test") == "pft" and r["mode"] == mode] for mode in TITLES}
    return {mode: values for mode, values in found.items() if values}


def _cell(values: list, stock: list) -> str:
    return f"{min(values):.0f} ({max(values):.0f}) | {min(stock) / min(values):.2f}x"


def page(path: Path) -> str:
    origin, records = report.load(path)
    times, cpu = costs(records, "fault_ns"), costs(records, "cpu_ns")
    lines = ["# A huge page, cleared in its fault", "",
             f"Cycles for 2 MiB on Rocket {origin['soc']['rocket']}, the best (and the worst) of {len(times['stock'])} rounds with one boot, and the ratio to the CPU alone; Linux "
             f"{origin['linux']}, revision {provenance.revision(origin)}.",
             "*Time*: until the fault is over. *CPU time*: what all tasks together spend. Workers are those of the RFC of 2016, `vm.clear_huge_workers`.", "",
             "| cleared by | time | | CPU time | |", "|---|---:|---:|---:|---:|"]
    lines += [f"| {TITLES[mode]} | {_cell(times[mode], times['stock'])} | {_cell(cpu[mode], cpu['stock'])} |" for mode in times]
    return "\n".join(lines) + "\n"


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows; the files written."""
    return report.publish_page(path, NAME, page, NAME)
