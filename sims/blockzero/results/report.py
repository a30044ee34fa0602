# SPDX-License-Identifier: BSD-3-Clause
"""Tables and plots, from result files alone."""

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from .. import ui
from ..paths import ROOT
from ..running import provenance

PUBLISHED = ROOT / "docs" / "results"
MODES = ("stock", "cpu", "engine", "demand", "none")
TITLES = {"stock": "stock", "cpu": "kscrubd, CPU", "engine": "kscrubd, engine", "demand": "engine on demand", "none": "no zeroing"}
COLUMNS = """Rows are kinds of page fault, columns are ways to clear the memory:

- *stock*: the CPU clears it in the fault.
- *kscrubd, CPU* and *kscrubd, engine*: it was cleared before the fault.
- *engine on demand*: the engine clears it in the fault.
- *no zeroing*: nobody does, by a boot option for benchmarks alone. That is about the limit of clearing ahead: the rest
  of the difference is where on the free lists the pages come from."""
MEANINGS = f"{COLUMNS}\n\nAll modes are measured with one boot of one kernel."

COLOURS = {"stock": "#7f7f7f", "cpu": "#4c78a8", "engine": "#e45756", "demand": "#f2a65a", "none": "#bab0ac"}


def load(path: Path) -> tuple:
    """(provenance, records) of a result file."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return lines[0]["provenance"], lines[1:]
    except (ValueError, LookupError, TypeError):
        raise ui.Error(f"{path} is not a result file: it begins with no provenance") from None


def run_name(path: Path) -> str:
    """Of the run that a result file is of; those published before runs had names are named after it."""
    return load(path)[0].get("run", path.stem)


def case(record: dict) -> str:
    folio, lines, rep = record["folio_kib"], record["lines"], record["rep"]
    size = f"{folio} KiB" if folio < 1024 else f"{folio // 1024} MiB"
    touched = f"{lines} line{'s' if lines > 1 else ''} touched"
    return f"{size}, {touched}" + (f", {rep} in succession" if rep > 1 else "")


def cost(record: dict) -> float:
    """Cycles a folio.

    Repetitions in succession are judged by wall time, which has kscrubd's cost in it; and what the engine does on demand by
    the time that it takes: the CPU's counter of cycles stops while it waits.
    """
    if record["rep"] > 1:
        return record["wall_ns"] * record.get("mhz", 100) / 1000 / record["folios"]
    if record["mode"] == "demand":
        return record["fault_ns"] * record["mhz"] / 1000 / record["folios"]
    return record["cycles"] / record["folios"]


def collect(records: list) -> dict:
    """{case: {mode: [cycles per folio, one a round]}}, in the order measured."""
    table = defaultdict(lambda: defaultdict(list))
    for record in records:
        if record.get("test") == "pft":
            table[case(record)][record["mode"]].append(cost(record))
    return table


def spread(values: list) -> str:
    """By how much the worst round is below the best; empty for one round."""
    return f" -{(1 - min(values) / max(values)) * 100:.1f}%" if len(values) > 1 else ""


def cell(values: list, stock: list) -> str:
    """Faults a millisecond, the ratio to stock, the spread; of cycles a folio."""
    if not values:
        return "-"
    text = f"{1e5 / min(values):#.3g}"  # faults a millisecond at 100 MHz
    if values is not stock and stock:
        text += f"  {min(stock) / min(values):.2f}x"
    return text + spread(values)


def compared(table: dict) -> list:
    """The cases that were measured in other modes as well as in stock."""
    return [name for name, row in table.items() if "stock" in row and len(row) > 1]


def markdown(table: dict) -> str:
    modes = [mode for mode in MODES if any(mode in row for row in table.values())]
    lines = ["| what faults | " + " | ".join(TITLES[m] for m in modes) + " |", "|---|" + "---:|" * len(modes)]
    for name, row in table.items():
        cells = [cell(row.get(mode, []), row.get("stock", [])) for mode in modes]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def terminal(table: dict) -> str:
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in markdown(table).splitlines()]
    rows.pop(1)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))) for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def plot(table: dict, origin: dict, stem: Path) -> None:
    """Bars of the fault rate relative to stock."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = stem.name  # the same results, the same file
    import matplotlib.pyplot as plt  # pylint: disable=import-outside-toplevel
    from matplotlib.patches import Patch  # pylint: disable=import-outside-toplevel

    names = compared(table)
    modes = [mode for mode in MODES if any(mode in table[name] for name in names)]
    figure, axes = plt.subplots(figsize=(14, 5), layout="constrained")
    width = 0.8 / len(modes)
    for m, mode in enumerate(modes):
        for n, name in enumerate(names):
            row = table[name]
            if mode not in row:
                continue
            ratios = [min(row["stock"]) / value for value in row[mode]]
            ratio = max(ratios)
            x = n + (m - (len(modes) - 1) / 2) * width
            error = [[ratio - min(ratios)], [0]]
            axes.bar(x, ratio, width * 0.92, yerr=error, capsize=2, color=COLOURS[mode])
            axes.annotate(f"{ratio:.3g}", (x, max(ratio, 1)), (0, 3), textcoords="offset points", ha="center", fontsize=7)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")  # huge pages gain far more than small ones
    ticks = (0.5, 1, 2, 5, 10, 20, 50, 100, 200)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.margins(x=0.01)
    best = [min(table[n]["stock"]) / min(v) for n in names for v in table[n].values()]
    axes.set_ylim(bottom=0.8 * min(best), top=1.4 * max(best))
    axes.set_xticks(range(len(names)), [name.replace(", ", "\n") for name in names])
    axes.set_ylabel("page-fault rate, relative to stock (log scale)")
    soc, config = origin["soc"], origin["config"]
    axes.set_title(f"Page faults on Rocket {soc['rocket']} + BlockZero, Linux {origin['linux'].split('-')[0]}, in Verilator\n"
                   f"{soc['front_port']} front port, DRAM read latency {config['read_latency']} cycles", fontsize=11)
    axes.legend([Patch(color=COLOURS[mode]) for mode in modes], [TITLES[mode] for mode in modes], ncols=len(modes),
                loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(stem.with_suffix(".png"), dpi=150)
    figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None})


def scrub_cost(record: dict) -> float:
    """The CPU's cycles for each page zeroed ahead."""
    return (record["awake_cycles"] - record["idle_cycles"]) / record["pages"]


def scrub_costs(records: list) -> dict:
    """{mode: the CPU's cycles for each page zeroed ahead}."""
    return {r["mode"]: scrub_cost(r) for r in records if r.get("test") == "scrub" and r["pages"]}


def scrub_share(records: list) -> float:
    """What of the CPU's cycles for a scrub are left with the engine, 0 to 1; not a number without such records."""
    cost = scrub_costs(records)
    return cost["engine"] / cost["cpu"] if {"engine", "cpu"} <= cost.keys() else float("nan")


def scrubs(records: list) -> str:
    """What a scrub costs the CPU, in one sentence; empty without such records."""
    cost = scrub_costs(records)
    if not {"engine", "cpu"} <= cost.keys():
        return ""
    return (f"Zeroing a free page ahead costs the CPU {cost['cpu']:.0f} cycles by its own stores and {cost['engine']:.0f} with the engine: "
            f"{scrub_share(records) * 100:.1f}%.")


def on_demand(records: list) -> str:
    """What the engine gains in the fault of the largest folio, beside what it could, in one sentence; empty without such records.

    The bytes a cycle that the engine and the CPU zero allow a ratio; the CPU's are those of a stock fault less one without zeroing.
    """
    measured = [r for r in records if r.get("test") == "pft" and r["mode"] == "demand" and r.get("engine_busy_cycles") and r["folio_kib"] > 4]
    if not measured:
        return ""
    last = max(measured, key=lambda r: r["folio_kib"])
    row = collect(records)[case(last)]
    if not {"stock", "none"} <= row.keys():
        return ""
    stock, demand, none = (min(row[mode]) for mode in ("stock", "demand", "none"))
    engine = max(r["engine_bytes"] / r["engine_busy_cycles"] for r in measured if case(r) == case(last))
    cpu = last["folio_kib"] * 1024 / (stock - none)
    return (f"On demand, with {case(last)}, the engine zeroes {engine:.2f} bytes a cycle and the CPU {cpu:.2f}: {engine / cpu:.2f}x. Faults, most of whose other "
            f"work the CPU does meanwhile, are {stock / demand:.2f}x as fast, {stock / demand * cpu / engine * 100:.1f}% of it.")


def served(records: list) -> dict:
    """{(KiB of a folio, mode): the share of faults in succession that found zeroed pages}, 0 to 1, the mean of the rounds."""
    found = defaultdict(list)
    for r in records:
        if r.get("test") == "pft" and r["rep"] > 1 and r["mode"] in ("cpu", "engine"):
            found[r["folio_kib"], r["mode"]].append(min(1, r["zeroed_hit"] / r["folios"]))
    return {key: sum(shares) / len(shares) for key, shares in sorted(found.items())}


def depletion(records: list) -> str:
    """How many faults in succession found zeroed pages, and what zeroing is of stock's time there; empty without such records."""
    found = served(records)
    if not found:
        return ""
    shares = [f"{share * 100:.0f}% ({size} KiB, {TITLES[mode]})" for (size, mode), share in found.items()]
    text = f"In succession, zeroed pages, kscrubd's new ones among them, served {', '.join(shares)} of the faults."
    zeroing = [f"{(1 - min(row['none']) / min(row['stock'])) * 100:.0f}% ({name.split(',')[0]})" for name, row in collect(records).items()
               if "in succession" in name and {"stock", "none"} <= row.keys()]
    return text + (f" Zeroing is {', '.join(zeroing)} of stock's wall time there, with mapping and unmapping." if zeroing else "")


def machine(origin: dict) -> str:
    """What a result was measured on."""
    soc, config = origin["soc"], origin["config"]
    return (f"Rocket {soc['rocket']}, {soc['front_port']} front port, DRAM latency {config['read_latency']} cycles read, "
            f"{config['write_latency']} write; Linux {origin['linux']}; revision {provenance.revision(origin)}.")


def _beginning(origin: dict) -> str:
    if "set" in origin:
        return "Every mode and round begins at the same saved state; rounds differ in which pages are free and in what the caches replace next."
    return "Modes follow each other in one boot, in an order that changes from round to round."


def summary(path: Path) -> tuple:
    """(what the numbers are and where they come from, the table's data) of a result file."""
    origin, records = load(path)
    table = collect(records)
    rounds = sorted({len(found) for row in table.values() for found in row.values()})
    text = (f"Page faults a millisecond (at 100 MHz) and the ratio to stock, the best of {' or '.join(map(str, rounds))} "
            f"rounds: what interrupts a round only adds to it. In percent, how far the worst is below. {_beginning(origin)}\n{machine(origin)}")
    return "\n\n".join(filter(None, [text, scrubs(records), on_demand(records), depletion(records)])), table


def page(path: Path) -> str:
    """report.md, from a result file."""
    text, table = summary(path)
    return f"# Page faults\n\n![Fault rates relative to stock](report.png)\n\n{MEANINGS}\n\n{text}\n\n{markdown(table)}\n"


def shown(path: Path, stem: Path) -> str:
    """The table for a terminal; as a page and a plot in files that begin with `stem`."""
    text, table = summary(path)
    if not compared(table):
        return f"{text}\n\n{terminal(table)}"
    stem.with_suffix(".md").write_text(page(path))
    plot(table, load(path)[0], stem)
    return f"{text}\n\n{terminal(table)}\n\nreport:  {stem}.md, .png, .svg"


def show(path: Path, to: Path) -> None:
    """Copies a result file to where the documentation has it, unless it is that one."""
    if path.resolve() != to.resolve():
        shutil.copy(path, to)


def publish_page(path: Path, results: str, page_of: Callable[[Path], str], page_name: str) -> list:
    """Makes a result, and its page, those that the documentation shows of a kind; the files written."""
    text = page_of(path)
    written = [PUBLISHED / f"{results}.jsonl", PUBLISHED / f"{page_name}.md"]
    show(path, written[0])
    written[1].write_text(text)
    return written


def publish(path: Path) -> list:
    """The same for fault rates, with their plot."""
    plot(summary(path)[1], load(path)[0], PUBLISHED / "report")
    return publish_page(path, "bench", page, "report")
