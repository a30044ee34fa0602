# SPDX-License-Identifier: BSD-3-Clause
"""Fault rates over what a sweep varied: table and curves, from a result file alone."""

import itertools
import math
from pathlib import Path

from .. import ui
from ..running import provenance
from . import report

TITLES = {"CONFIG": "Rocket configuration", "PORT": "front port", "VARIANT": "simulator", "RAM": "memory, MiB", "READ_LATENCY": "DRAM read latency, cycles",
          "WRITE_LATENCY": "DRAM write latency, cycles", "BANDWIDTH": "DRAM bandwidth, bytes a cycle", "CHANNELS": "channels of the engine",
          "QUEUE": "jobs that a channel holds", "INFLIGHT": "blocks in flight at most", "WINDOWS": "windows of the engine's guard", "LAYOUT": "layout of the kernel", "PATCHES": "patches of the series"}
STYLES = ("-", "--", ":")
MARKERS = {"stock": "s", "cpu": "^", "engine": "o", "demand": "D", "none": ""}
LOG = 20  # from this ratio of the largest value to the smallest an axis is logarithmic
DENSE = 300  # up to this ratio a logarithmic axis has ticks at 1, 2 and 5
COLUMNS = 3


def _value(value: object) -> object:
    """Of a make variable: a number where it is one."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


def choices(record: dict) -> dict:
    return {name: _value(value) for name, value in record["choices"].items()}


def swept(records: list) -> dict:
    """{variable: its values}, numbers in their order and words in that of the records; the variable with the most values first."""
    found: dict = {}
    for record in records:
        for name, value in choices(record).items():
            found.setdefault(name, {})[value] = None
    values = {name: sorted(seen) if all(isinstance(value, (int, float)) for value in seen) else list(seen) for name, seen in found.items()}
    return dict(sorted(values.items(), key=lambda item: -len(item[1])))


def roles(over: dict) -> tuple:
    """(the variable of the x axis, that of the line style or None, [those that have panels of their own]) of what swept() found."""
    x, *others = over
    style = next((name for name in others if 1 < len(over[name]) <= len(STYLES)), None)
    return x, style, [name for name in others if name != style and len(over[name]) > 1]


def load(path: Path) -> tuple:
    """(provenance, records, swept()) of a sweep's result file."""
    origin, records = report.load(path)
    records = [record for record in records if record.get("choices")]
    if not any(record.get("test") == "pft" for record in records):
        raise ui.Error(f"{path} is no sweep of fault rates: its records have no choices, or are no page faults")
    return origin, records, swept(records)


def chosen(records: list, which: dict) -> list:
    """The records of which these choices were made."""
    return [record for record in records if which.items() <= choices(record).items()]


def points(records: list, over: dict) -> list:
    """[(choices, report.collect() of what was measured with them)] for all combinations that were measured."""
    found = [dict(zip(over, values)) for values in itertools.product(*over.values())]
    return [(which, table) for which in found if (table := report.collect(chosen(records, which)))]


def series(measured: list, case: str, mode: str, x: str, fixed: dict) -> list:
    """[(value of x, costs of a folio, stock's there or none)] of a curve, in points() that have the fixed choices."""
    return [(which[x], table[case][mode], table[case].get("stock", [])) for which, table in measured
            if fixed.items() <= which.items() and mode in table.get(case, {})]


def cases(measured: list) -> list:
    return list(dict.fromkeys(case for _, table in measured for case in table))


def _modes(measured: list) -> list:
    return [mode for mode in report.MODES if any(mode in row for _, table in measured for row in table.values())]


def summary(path: Path) -> str:
    """What was varied, and on what."""
    origin, _, over = load(path)
    varied = "; ".join(f"{TITLES.get(name, name)} (`{name}`): {', '.join(map(str, values))}" for name, values in over.items())
    return (f"Page faults a millisecond (at 100 MHz) and the ratio to stock with the same choices, the best round; in percent, how far the worst is below. "
            f"Varied: {varied}. {_machine(origin)}, revision {provenance.revision(origin)}.")


def _machine(origin: dict) -> str:
    soc = origin.get("soc", {})
    return f"Rocket {soc['rocket']}, Linux {origin['linux'].split('-')[0]}" if "rocket" in soc else f"Linux {origin['linux'].split('-')[0]}"


def fault_table(path: Path) -> str:
    _, records, over = load(path)
    measured = points(records, over)
    modes = _modes(measured)
    lines = ["| what faults | " + " | ".join([f"`{name}`" for name in over] + [report.TITLES[mode] for mode in modes]) + " |",
             "|---|" + "---:|" * (len(over) + len(modes))]
    for case in cases(measured):
        for which, table in measured:
            row = table.get(case)
            if row:
                cells = [*map(str, which.values()), *(report.cell(row.get(mode, []), row.get("stock", [])) for mode in modes)]
                lines.append(f"| {case} | {' | '.join(cells)} |")
    return "\n".join(lines)


def scrub_table(path: Path) -> str:
    """Empty if no scrub was measured."""
    _, records, over = load(path)
    lines = []
    for values in itertools.product(*over.values()):
        cost = report.scrub_costs(chosen(records, dict(zip(over, values))))
        if cost:
            cells = [f"{cost[mode]:.0f}" if mode in cost else "-" for mode in ("cpu", "engine")]
            lines.append(f"| {' | '.join([*map(str, values), *cells])} |")
    head = [*(f"`{name}`" for name in over), "by the CPU's stores", "by the engine"]
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---:|" * len(head), *lines]) if lines else ""


def what(over: dict) -> str:
    """What was varied, in words."""
    return " and ".join(TITLES.get(choice, choice).split(",")[0] for choice in over)


def name(path: Path) -> str:
    """Of the files that show a sweep: its set's."""
    return f"curves-{report.load(path)[0]['set']}"


def page(path: Path) -> str:
    """The page of a sweep, from its result file."""
    scrubs = scrub_table(path)
    scrubs = f"\nThe CPU's cycles for each page zeroed ahead:\n\n{scrubs}\n" if scrubs else ""
    return (f"# Page faults over {what(load(path)[2])}\n\n![Fault rates, and their ratio to stock]({name(path)}.png)\n\n{report.MEANINGS}\n\n{summary(path)}\n\n"
            f"{fault_table(path)}\n{scrubs}")


def _scale(axis: object, values: list) -> None:
    """From zero, or logarithmic where small values would lie on the axis."""
    if max(values) / min(values) >= LOG:
        low, high = min(values) / 1.5, max(values) * 1.5
        axis.set_yscale("log")
        axis.set_ylim(low, high)
        ticks = [tick for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high))) for tick in (10 ** power, 2 * 10 ** power, 5 * 10 ** power)]
        ticks = ticks if high / low < DENSE else ticks[::3]
        axis.set_yticks([tick for tick in ticks if low <= tick <= high], [f"{tick:g}" for tick in ticks if low <= tick <= high])
    else:
        axis.set_ylim(0, max(values) * 1.1)


def _panel(rate: object, ratio: object, measured: list, curves: list, over: dict, x: str) -> None:
    """Two axes for a case, faults a millisecond and the ratio to stock; curves: [(case, mode, the other choices, line style)]."""
    words = not all(isinstance(value, (int, float)) for value in over[x])
    for case, mode, fixed, style in curves:
        found = series(measured, case, mode, x, fixed)
        places = [over[x].index(value) if words else value for value, _, _ in found]
        look = {"color": report.COLOURS[mode], "linestyle": style, "marker": MARKERS[mode], "markersize": 5,
                "linewidth": 5 if mode == "none" else 1.8, "zorder": 1 if mode == "none" else 2, "solid_capstyle": "round", "dash_capstyle": "round"}
        best = [1e5 / min(cost) for _, cost, _ in found]
        rate.plot(places, best, **look)
        rate.errorbar(places, best, [[b - 1e5 / max(cost) for b, (_, cost, _) in zip(best, found)], [0] * len(best)], fmt="none",
                      ecolor=report.COLOURS[mode], capsize=2, linewidth=1)
        if all(stock for _, _, stock in found):
            ratio.plot(places, [min(stock) / min(cost) for _, cost, stock in found], **look)
    rows = [table[curves[0][0]] for _, table in measured if curves[0][0] in table]  # of all choices: panels of a case have the same axes
    _scale(rate, [1e5 / min(cost) for row in rows for cost in row.values()])
    _scale(ratio, [1, *(min(row["stock"]) / min(cost) for row in rows if "stock" in row for cost in row.values())])
    for axis in (rate, ratio):
        if not words and min(over[x]) > 0 and max(over[x]) / min(over[x]) >= LOG:
            axis.set_xscale("log")
        axis.set_xticks(range(len(over[x])) if words else over[x], map(str, over[x]))
        axis.minorticks_off()
        axis.margins(x=0.12 if words else 0.05)
        axis.grid(color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    rate.tick_params(labelbottom=False)


def _columns(panels: int, values: int) -> int:
    """Of panels in a picture; values: of a variable that has panels of its own, so that each row is one case."""
    return values if 1 < values <= COLUMNS + 2 else 2 if panels == 4 else min(COLUMNS, panels)


def plot(path: Path, stem: Path) -> None:
    """Curves over the variable with the most values, one a mode: faults a millisecond, and below them the ratio to stock. stem.png and stem.svg."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = stem.name  # the same results, the same file
    import matplotlib.pyplot as plt  # pylint: disable=import-outside-toplevel
    from matplotlib.lines import Line2D  # pylint: disable=import-outside-toplevel

    origin, records, over = load(path)
    measured, (x, style, others) = points(records, over), roles(over)
    modes = _modes(measured)
    styles = {value: STYLES[n] for n, value in enumerate(over[style])} if style else {None: STYLES[0]}
    panels = [(case, dict(zip(others, values))) for case in cases(measured) for values in itertools.product(*(over[name] for name in others))]
    columns = _columns(len(panels), len(over[others[0]]) if others else 0)
    rows = -(-len(panels) // columns)
    figure = plt.figure(figsize=(max(4.3 * columns, 8.6), 4.6 * rows + 1), layout="constrained")
    grid = figure.subfigures(rows, columns, squeeze=False)
    for place, (case, fixed) in zip(grid.flat, panels):
        rate, ratio = place.subplots(2, 1)
        curves = [(case, mode, {**fixed, **({style: value} if style else {})}, look) for mode in reversed(modes) for value, look in styles.items()]
        _panel(rate, ratio, measured, curves, over, x)
        rate.set_title("\n".join([case, *(f"{name} = {value}" for name, value in fixed.items())]), fontsize=11)
        rate.set_ylabel("faults a millisecond")
        ratio.set_ylabel("ratio to stock")
        ratio.set_xlabel(TITLES.get(x, x))
    handles = [Line2D([], [], color=report.COLOURS[mode], marker=MARKERS[mode], linewidth=5 if mode == "none" else 1.8, label=report.TITLES[mode]) for mode in modes]
    for n, (value, look) in enumerate(styles.items() if style else ()):  # a legend fills its columns one by one; line styles are its second row
        handles.insert(2 * n + 1, Line2D([], [], color="black", linestyle=look, label=f"{style} = {value}"))
    figure.suptitle(f"Page faults on {_machine(origin)}, in Verilator", fontsize=12)
    figure.legend(handles=handles, loc="outside lower center", ncols=len(modes), frameon=False, handlelength=3)
    figure.savefig(stem.with_suffix(".png"), dpi=110)
    figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None})
    plt.close(figure)


def publish(path: Path) -> list:
    """Makes a sweep the one of its set that the documentation shows; the files written."""
    stem = report.PUBLISHED / name(path)
    plot(path, stem)
    return [*report.publish_page(path, stem.name, page, stem.name), stem.with_suffix(".png"), stem.with_suffix(".svg")]
