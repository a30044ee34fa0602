# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what the bare-metal tests measured in Chipyard and FireSim, from result files alone."""

import statistics
from pathlib import Path

from ..running import provenance
from . import report

KINDS = ("chipyard", "firesim")


def published() -> list:
    return [path for kind in KINDS for path in sorted(report.PUBLISHED.glob(f"{kind}-*.jsonl"))]


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows of its Chipyard configuration or FireSim target; the files written."""
    written = [report.PUBLISHED / f"{report.run_name(path)}.jsonl", report.PUBLISHED / "chipyard.md"]
    report.show(path, written[0])
    written[1].write_text(page(published()))
    return written


def size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def throughput(files: list) -> list:
    """Medians of cycles to clear memory, a row for each configuration, size and state of the L2."""
    rows = []
    for path in files:
        origin, records = report.load(path)
        records = [r for r in records if r["test"] == "throughput"]
        for count, caches in sorted({(r["bytes"], r["caches"]) for r in records}):
            chosen = [r for r in records if (r["bytes"], r["caches"]) == (count, caches)]
            busy, waits, cpu = (statistics.median(r[key] for r in chosen) for key in ("engine_busy_cycles", "engine_cycles", "cpu_cycles"))
            per_core_cycle = statistics.median(r.get("engine_per_1000_core_cycles", 1000) for r in chosen) / 1000  # older records: one clock
            rows.append({"name": name(origin), "bytes": count, "caches": caches, "busy": busy, "waits": waits, "cpu": cpu,
                         "ratio": cpu * per_core_cycle / busy})
    return rows


def _throughput(files: list) -> list:
    return ["| configuration | cleared | L2 before | engine, cycles | bytes a cycle | software waits | CPU | ratio |",
            "|---|---|---|---:|---:|---:|---:|---:|",
            *(f"| {r['name']} | {size(r['bytes'])} | {r['caches']} | {r['busy']:.0f} | {r['bytes'] / r['busy']:.2f} | {r['waits']:.0f} | {r['cpu']:.0f} | "
              f"{r['ratio']:.2f}x |" for r in throughput(files))]


def workingset(files: list) -> list:
    """By how much a working set is read slower after other memory was zeroed, by whom: a row for each configuration, set and size."""
    rows = []
    for path in files:
        origin, records = report.load(path)
        records = [r for r in records if r["test"] == "workingset"]
        for count, zeroed in sorted({(r["set_bytes"], r["zeroed_bytes"]) for r in records}):
            slower = {r["by"]: r["after_cycles"] / r["warm_cycles"] for r in records if (r["set_bytes"], r["zeroed_bytes"]) == (count, zeroed)}
            rows.append({"name": name(origin), "set": count, "zeroed": zeroed, "slower": slower})
    return rows


def _workingset(files: list) -> list:
    lines = ["| configuration | working set | zeroed | by the engine | by the CPU |", "|---|---|---|---:|---:|"]
    for row in workingset(files):
        slower = {by: f"{ratio:.2f}x" for by, ratio in row["slower"].items()}
        lines.append(f"| {row['name']} | {size(row['set'])} | {size(row['zeroed'])} | {slower.get('engine', '-')} | {slower.get('cpu', '-')} |")
    return lines


WAYS = ("stores", "cbo.zero", "engine")


def states(files: list) -> list:
    """Cycles to clear memory by the state it was in: a row for each configuration, size and state; those measured more than once, their median."""
    rows = []
    for path in files:
        origin, records = report.load(path)
        records = [r for r in records if r["test"] == "clear"]
        for count, state in dict.fromkeys((r["bytes"], r["state"]) for r in records):
            costs = {way: [r["cycles"] for r in records if (r["bytes"], r["state"], r["by"]) == (count, state, way)] for way in WAYS}
            rows.append({"name": name(origin), "bytes": count, "state": state, "cycles": {way: statistics.median(found) for way, found in costs.items() if found}})
    return rows


def _states(files: list) -> list:
    lines = ["| configuration | cleared | it was | stores | cbo.zero | engine | to stores | to cbo.zero |", "|---|---|---|---:|---:|---:|---:|---:|"]
    for row in states(files):
        costs = row["cycles"]
        cells = [f"{costs[way]:.0f}" if way in costs else "-" for way in WAYS] + [f"{costs[way] / costs['engine']:.2f}x" if way in costs else "-" for way in WAYS[:2]]
        lines.append(f"| {row['name']} | {size(row['bytes'])} | {row['state']} | {' | '.join(cells)} |")
    return lines


def revisions(files: list) -> list:
    parts = [Path(part).name for part in provenance.CHIPYARD_PARTS]
    lines = ["| `CONFIG` | BlockZero | Chipyard | " + " | ".join(parts) + " |", "|---" * (3 + len(parts)) + "|"]
    for path in files:
        origin, _ = report.load(path)
        cells = [provenance.revision(origin)]
        for name, revision in {".": origin["chipyard"], **origin["submodules"]}.items():
            cells.append(revision[:12] + (" with changes" if name in origin.get("changed", []) else ""))
        firesim = " (FireSim with changes)" if origin.get("firesim_changed") else ""
        lines.append(f"| `{origin['config']}`{firesim} | {' | '.join(cells)} |")
    return lines


def name(origin: dict) -> str:
    """Of a machine, for a table."""
    return origin["config"].rsplit(".", 1)[-1].removesuffix("BlockZeroConfig") + (", FireSim" if "firesim" in origin else "")


def page(files: list) -> str:
    """docs/results/chipyard.md, from result files of `make test-chipyard` and `make firesim-results`."""
    return "\n".join([
        "# Clearing memory in Chipyard and FireSim", "",
        "Cycles to clear cold memory. *engine*: from its first write to its last answer, by its own counter, in cycles of its own clock;",
        "*software waits*: from the store that starts the job until its completion was polled, in the core's; *CPU*: a loop of 8-byte stores, in",
        "the core's. Ratio: CPU to engine, in time. Medians. *L2 before*: empty, as reset leaves it, or full of clean lines; sizes that it does",
        "not hold fill it with dirty ones themselves.", "",
        *_throughput(files), "",
        "What zeroing costs a working set that was in the caches: cycles to read it again, relative to before, after memory elsewhere was",
        "zeroed.", "",
        *_workingset(files), "",
        *(["How fast memory is cleared by the state that it was in, in the core's cycles as software sees them: by stores, by the core's `cbo.zero`",
           "where it has that, and by the engine; and how much faster the engine is.", "",
           *_states(files), ""] if states(files) else []),
        "Measured with", "",
        *revisions(files), ""])
