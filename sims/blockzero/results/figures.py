# SPDX-License-Identifier: BSD-3-Clause
"""Interactive plots for the page of results: what plotly.js draws, as plain data.

A figure has a title, a height in pixels, and plotly's `data` and `layout`. Colours of text and lines are the page's: it has two schemes.
"""

import itertools
import math
import textwrap

from . import clearing, curves, layouts, report, rivals

ROW = 17  # pixels, of a bar
AROUND = 90  # pixels, of axis, its title and the legend
DENSE = 5000  # up to this ratio a logarithmic axis has ticks at 1, 2 and 5
SMALL = 300  # pixels, of one of many plots
RIVALS = {"workers1": "cpu", "workers2": "cpu", "workers4": "cpu"}  # whose colours those of workers are
DOWN = {"autorange": "reversed", "showgrid": False}  # an axis of cases, the first on top
DASHES = ("solid", "dash", "dot")
SYMBOLS = {"stock": "square", "cpu": "triangle-up", "engine": "circle", "demand": "diamond", "none": "circle"}


def _case(name: str) -> str:
    """A case in several lines: a phone is narrow."""
    return name.replace(", ", ",<br>")


def _wrap(text: str, width: int) -> str:
    return "<br>".join(textwrap.wrap(text, width))


def _thousands(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u2009")


def _figure(title: str, height: int, data: list, x: dict, y: dict, **layout: object) -> dict:
    return {"title": title, "height": height, "data": data,
            "layout": {"xaxis": x, "yaxis": {"automargin": True, **y}, "showlegend": len(data) > 1, **layout}}


def _bars(name: str, colour: object, y: list, x: list, text: list, hover: list, base: object = None, **marker: object) -> dict:
    return {"type": "bar", "orientation": "h", "name": name, "y": y, "x": x, "text": text, "textposition": "outside", "cliponaxis": False,
            "hovertext": hover, "hoverinfo": "text", "marker": {"color": colour, **marker}, **({} if base is None else {"base": base})}


def _logarithmic(low: float, high: float) -> dict:
    """An axis with ticks at 1, 2, 5; after `high` is place for a bar's label."""
    ticks = [tick * 10 ** power for power in range(-2, 6) for tick in ((1, 2, 5) if high / low < DENSE else (1,)) if low <= tick * 10 ** power <= high]
    return {"type": "log", "range": [math.log10(low), math.log10(high)], "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}


def faults(table: dict) -> dict:
    """Fault rates relative to stock, of a report.collect() table."""
    names = report.compared(table)
    modes = [mode for mode in report.MODES if mode != "stock" and any(mode in table[name] for name in names)]
    data, ratios = [], [1.0]
    for mode in modes:
        found = [(name, table[name]["stock"], table[name][mode]) for name in names if mode in table[name]]
        best = [min(stock) / min(cost) for _, stock, cost in found]
        hover = [f"{name}<br><b>{report.TITLES[mode]}: {1e5 / min(cost):.3g} faults a millisecond</b><br>stock: {1e5 / min(stock):.3g}<br>"
                 f"ratio: {ratio:.2f}x, worst round {min(stock) / max(cost):.2f}x" for (name, stock, cost), ratio in zip(found, best)]
        data.append(_bars(report.TITLES[mode], report.COLOURS[mode], [_case(name) for name, *_ in found], [ratio - 1 for ratio in best],
                          [f"{ratio:.3g}x" if ratio >= 1 else f"{ratio:.2f}x" for ratio in best], hover, base=1))
        ratios += best
    low = min(ratios) * (0.8 if min(ratios) >= 1 else 0.25)  # a label is left of its bar there
    x = {**_logarithmic(low, 3 * max(ratios)), "title": {"text": "fault rate, relative to stock (log)"}}
    one = {"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1}
    return _figure("How much faster than stock a page fault is", AROUND + max(ROW * len(modes) + 8, 56) * len(names), data, x, DOWN, shapes=[one], bargap=0.18)


def rival_ways(records: list) -> dict:
    """Time and CPU time of a huge page, cleared in its fault, of the records of rivals."""
    data = []
    for key, name, pattern in (("fault_ns", "time of the fault", ""), ("cpu_ns", "CPU time of all tasks", "/")):
        costs = rivals.costs(records, key)
        best = {mode: min(values) for mode, values in costs.items()}
        hover = [f"{rivals.TITLES[mode]}<br><b>{name}: {_thousands(value)} cycles</b><br>worst round: {_thousands(max(costs[mode]))}" for mode, value in best.items()]
        data.append(_bars(name, [report.COLOURS[RIVALS.get(mode, mode)] for mode in best], [_wrap(rivals.TITLES[mode], 17) for mode in best],
                          list(best.values()), [f"{value / 1e6:.2f} M" for value in best.values()], hover, pattern={"shape": pattern}))
    most = max(value for trace in data for value in trace["x"])
    return _figure("A huge page, cleared in its fault", AROUND + 2 * (ROW + 6) * len(data[0]["y"]), data,
                   {"range": [0, 1.25 * most], "title": {"text": "cycles"}, "nticks": 5}, DOWN)


def layout_ratios(records: list) -> dict:
    """What is compared over layouts of the kernel, a dot for each; of the records of page faults."""
    data, places = [], []
    for title, ratios in layouts.comparisons(records):
        if ", instructions" in title:  # these hardly depend on the layout
            continue
        ahead = "zeroed ahead" in title
        percent = [(ratio - 1) * 100 for ratio in ratios]
        place = _wrap(title.replace(", cycles", ""), 26)
        places.append(place)
        names = ["as built", *(f"layout {n}" for n in range(1, len(ratios)))]
        data.append({"type": "scatter", "mode": "markers", "x": percent, "y": [place] * len(percent), "hoverinfo": "text",
                     "hovertext": [f"{title}<br><b>{name}: {value:+.2f}%</b>" for name, value in zip(names, percent)],
                     "marker": {"color": report.COLOURS["engine" if ahead else "cpu"], "size": 9,
                                "symbol": ["diamond-open", *["circle"] * (len(percent) - 1)], "line": {"width": [2, *[0.5] * (len(percent) - 1)]}}})
    zero = {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}
    return _figure("Cycles of a fault, a dot for each layout of the kernel (open: as built)", AROUND + 62 * len(places), data,
                   {"title": {"text": "cycles, to the other kernel's"}, "ticksuffix": "%"}, {"autorange": "reversed"}, showlegend=False, shapes=[zero])


def clearing_rates(files: list) -> dict:
    """Bytes a cycle that engine and CPU clear in Chipyard and FireSim, with an L2 full of clean lines."""
    rows = [row for row in clearing.throughput(files) if row["caches"] == "clean"]
    places = [f"{row['name'].removeprefix('blockzero_')},<br>{clearing.size(row['bytes'])}" for row in rows]
    data = []
    for name, mode, key in (("engine", "engine", "busy"), ("CPU", "cpu", "cpu")):
        rates = [row["bytes"] / row[key] for row in rows]
        hover = [f"{row['name']}, {clearing.size(row['bytes'])}<br><b>{name}: {rate:.2f} bytes a cycle</b><br>{_thousands(row[key])} cycles; engine to CPU, in time: "
                 f"{row['ratio']:.2f}x" for row, rate in zip(rows, rates)]
        data.append(_bars(name, report.COLOURS[mode], places, rates, [f"{rate:.3g}" for rate in rates], hover))
    most = max(value for trace in data for value in trace["x"])
    return _figure("Bytes that are cleared in a cycle", AROUND + (2 * ROW + 8) * len(rows), data,
                   {"range": [0, 1.15 * most], "title": {"text": "bytes a cycle"}}, DOWN, bargap=0.22)


def working_sets(files: list) -> list:
    """How much slower a working set is read after other memory was zeroed: a figure for each configuration and set."""
    found = []
    rows = clearing.workingset(files)
    for name, count in dict.fromkeys((row["name"], row["set"]) for row in rows):
        mine = [row for row in rows if (row["name"], row["set"]) == (name, count)]
        data = []
        for title, by in (("by the engine", "engine"), ("by the CPU", "cpu")):
            points = [(clearing.size(row["zeroed"]), row["slower"][by]) for row in mine if by in row["slower"]]
            data.append({"type": "scatter", "mode": "lines+markers", "name": title, "x": [size for size, _ in points], "y": [ratio for _, ratio in points],
                         "hoverinfo": "text", "hovertext": [f"{size} zeroed {title}<br><b>{ratio:.2f}x the cycles</b>" for size, ratio in points],
                         "line": {"color": report.COLOURS[by]}, "marker": {"color": report.COLOURS[by], "symbol": SYMBOLS[by], "size": 9}})
        found.append(_figure(f"{name}, {clearing.size(count)} working set", SMALL, data, {"title": {"text": "zeroed elsewhere"}, "type": "category"},
                             {"title": {"text": "cycles to read it, ratio"}, "rangemode": "tozero"}))
    return found


def curve_legend(records: list, over: dict) -> list:
    """[(name, colour or None, dash)] of what the curves of a sweep have in common."""
    _, style, _ = curves.roles(over)
    modes = [mode for mode in report.MODES if any(record.get("mode") == mode for record in records)]
    return [*((report.TITLES[mode], report.COLOURS[mode], "solid") for mode in modes),
            *((f"{style} = {value}", None, dash) for value, dash in zip(over.get(style, ()), DASHES))]


def sweep(records: list, over: dict) -> list:
    """Curves of a sweep, the ratio to stock over the variable with the most values: a figure for each case and what has panels of its own."""
    measured, (x, style, others) = curves.points(records, over), curves.roles(over)
    words = not all(isinstance(value, (int, float)) for value in over[x])
    found = []
    for case, values in itertools.product(curves.cases(measured), itertools.product(*(over[name] for name in others))):
        fixed, data = dict(zip(others, values)), []
        rows = [table[case] for _, table in measured if "stock" in table.get(case, {})]  # of all choices: figures of a case have the same axis
        ratios = [min(row["stock"]) / min(cost) for row in rows for cost in row.values()]
        for mode, (n, value) in itertools.product(reversed(report.MODES), enumerate(over.get(style, [None]))):
            which = {**fixed, **({style: value} if style else {})}
            points = [(place, cost, stock) for place, cost, stock in curves.series(measured, case, mode, x, which) if stock]
            if not points:
                continue
            name = report.TITLES[mode] + (f", {style} = {value}" if style else "")
            ratio = [min(stock) / min(cost) for _, cost, stock in points]
            hover = [f"{x} = {place}<br><b>{name}: {1e5 / min(cost):.3g} faults a millisecond</b><br>ratio to stock: {r:.2f}x"
                     for (place, cost, _), r in zip(points, ratio)]
            data.append({"type": "scatter", "mode": "lines+markers", "name": name, "x": [str(p) if words else p for p, *_ in points], "y": ratio, "hoverinfo": "text",
                         "hovertext": hover, "line": {"color": report.COLOURS[mode], "dash": DASHES[n], "width": 6 if mode == "none" else 2},
                         "marker": {"color": report.COLOURS[mode], "symbol": SYMBOLS[mode], "size": 6 if mode == "none" else 8}})
        if not data:
            continue
        wide = max(ratios) / min(ratios) >= curves.LOG
        y = _logarithmic(min(ratios) / 1.5, max(ratios) * 1.5) if wide else {"range": [0, 1.08 * max(ratios)]}
        xaxis = {"type": "category"} if words else {"tickvals": over[x], "ticktext": [str(value) for value in over[x]]}
        if not words and min(over[x]) > 0 and max(over[x]) / min(over[x]) >= curves.LOG:
            xaxis["type"] = "log"
        title = ", ".join([case, *(f"{name} = {value}" for name, value in fixed.items())])
        found.append(_figure(title, SMALL, data, {**xaxis, "title": {"text": curves.TITLES.get(x, x)}},
                             {**y, "title": {"text": "ratio to stock" + (" (log)" if wide else "")}}, showlegend=False))
    return found
