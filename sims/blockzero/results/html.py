# SPDX-License-Identifier: BSD-3-Clause
"""All results on one HTML page, which needs nothing beside itself: no network, no other file. From result files alone."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from .. import ui
from ..paths import BUILD
from ..running import provenance, runs
from . import clearing, curves, cycles, figures, headline, l2, layouts, markdown, report, rivals, seeds

TEMPLATE = "page.html.jinja"
KINDS = ("bench", "cycles", "rivals", "layouts", "curves", "clearing", "l2", "seeds")


@dataclass
class Section:
    """A chapter of the page; text is HTML."""

    key: str
    title: str
    lead: str
    text: str
    plots: list = field(default_factory=list)
    small: list = field(default_factory=list)  # plots that stand side by side
    legend: list = field(default_factory=list)  # of these


def published() -> list:
    """The result files that the documentation shows."""
    return sorted(report.PUBLISHED.glob("*.jsonl"))


def kind(path: Path) -> str:
    """Which chapter shows a result file."""
    origin, records = report.load(path)
    name = report.run_name(path).split("-")[0]
    if origin.get("set", name) in ("cycles", "rivals", "layouts", "seeds"):  # sets with a page of their own
        return origin.get("set", name)
    if l2.is_one(origin, records):
        return "l2"
    if name in clearing.KINDS:
        return "clearing"
    if name in ("area", "prove"):  # of no chapter
        return name
    if any(record.get("test") == "coverage" for record in records):
        return "coverage"
    if not any(record.get("test") == "pft" for record in records):
        raise ui.Error(f"{path}: no page shows such a result; it has no page faults, and is none of {', '.join(clearing.KINDS)}")
    return "curves" if any("choices" in record for record in records) else "bench"


def sort(paths: list) -> dict:
    """{kind: its result files}; of Chipyard and FireSim, and of sweeps, there may be several."""
    found: dict = {}
    for path in paths:
        found.setdefault(kind(path), []).append(path)
    for name, files in found.items():
        if name not in ("clearing", "curves", "l2") and len(files) > 1:
            raise ui.Error(f"the page shows one result of {name}, and here are {files[0]} and {files[1]}")
    if not found:
        raise ui.Error("there are no results for a page")
    return {name: found[name] for name in KINDS if name in found}


def _body(page: str) -> str:
    """A page of the documentation without its title."""
    return markdown.to_html(page.split("\n", 1)[1])


def _scrub_table(costs: dict) -> str:
    own = costs.get("cpu", float("nan"))
    rows = [f"| {report.TITLES[mode]} | {cost:.0f} | {cost / own:.1%} |" for mode, cost in costs.items()]
    return "\n".join(["| cleared by | CPU cycles for each page | of the CPU's own |", "|---|---:|---:|", *rows])


def _served_table(served: dict) -> str:
    modes = [mode for mode in report.MODES if any(mode == found for _, found in served)]
    lines = [f"| folio | {' | '.join(report.TITLES[mode] for mode in modes)} |", "|---|" + "---:|" * len(modes)]
    for size in dict.fromkeys(size for size, _ in served):
        cells = [f"{served[size, mode]:.0%}" if (size, mode) in served else "-" for mode in modes]
        lines.append(f"| {size} KiB | {' | '.join(cells)} |")
    return "\n".join(lines)


def _bench(path: Path) -> list:
    _, records = report.load(path)
    text, table = report.summary(path)
    what, costs, served, demand = text.split("\n\n", 1)[0], report.scrub_costs(records), report.served(records), report.on_demand(records)
    found = [Section("faults", "Page faults", "How fast a page fault is in each way to clear its memory, relative to stock: Linux today.",
                     markdown.to_html(f"{report.MEANINGS}\n\n{what}\n\n{report.markdown(table)}"), [figures.faults(table)])]
    if costs:
        found.append(Section("scrub", "Zeroing ahead of need", "What kscrubd's work costs the CPU, for each page.",
                             markdown.to_html(f"{report.scrubs(records)}\n\n{_scrub_table(costs)}")))
    if served:
        found.append(Section("depletion", "Allocations in succession", "How many faults find a zeroed page when one allocation follows the other, "
                             "and the pool runs out.", markdown.to_html(f"{report.depletion(records)}\n\n{_served_table(served)}")))
    if demand:
        found.append(Section("demand", "The engine in the fault", "What the engine gains if it clears a page while the fault waits for it.",
                             markdown.to_html(demand)))
    return found


def _cycles(path: Path) -> list:
    return [Section("cycles", "Where the cycles go", "What a page fault's cycles are spent on, with its page cleared in it and before.", _body(cycles.page(path)))]


def _rivals(path: Path) -> list:
    return [Section("rivals", "Huge pages on four cores", "A huge page is cleared in its fault: by the CPU alone, by kernel workers beside it, or by the engine.",
                    _body(rivals.page(path)), [figures.rival_ways(report.load(path)[1])])]


def _layouts(path: Path) -> list:
    records = layouts.of_layouts(report.load(path)[1])
    return [Section("layouts", "Where the kernel's code lies", "Code that shares sets of the I-cache makes some percent of a fault's cost, "
                    "so one build of a kernel is one sample.", _body(layouts.page(path)), [figures.layout_ratios(records)])]


def _seeds(path: Path) -> list:
    return [Section("seeds", "Earlier claims", "The tables of those who proposed something for the page allocator before, beside the same measurements here.",
                    _body(seeds.page(path)))]


def _curves(path: Path) -> list:
    _, records, over = curves.load(path)
    scrubs = curves.scrub_table(path)
    text = f"{curves.summary(path)}\n\n{curves.fault_table(path)}" + (f"\n\nThe CPU's cycles for each page zeroed ahead:\n\n{scrubs}" if scrubs else "")
    return [Section(curves.name(path), f"Over {curves.what(over)}", f"How the gain changes with {curves.what(over)}.",
                    markdown.to_html(text), small=figures.sweep(records, over), legend=figures.curve_legend(records, over))]


def _clearing(files: list) -> list:
    return [Section("clearing", "Chipyard and FireSim", "How fast engine and CPU clear memory in systems with an L2 cache, on the bare machine.",
                    _body(clearing.page(files)), [figures.clearing_rates(files)], figures.working_sets(files))]


def _l2(files: list) -> list:
    return [Section("l2", "Linux on SoCs with an L2", "Fault rates in Chipyard and FireSim, beside those of the stand-alone SoC.", markdown.to_html(l2.table(files)))]


def sections(found: dict) -> list:
    """Of what sort() found."""
    together = {"clearing": _clearing, "l2": _l2}  # all result files of a kind in one chapter
    one = {"bench": _bench, "cycles": _cycles, "rivals": _rivals, "layouts": _layouts, "curves": _curves, "seeds": _seeds}
    return [section for name, files in found.items() for section in (together[name](files) if name in together else sum(map(one[name], files), []))]


def numbers(path: Path) -> list:
    """[(figure, what it is)]: what a stranger should know first, of a result of make bench."""
    _, records = report.load(path)
    table, costs = report.collect(records), report.scrub_costs(records)
    found = [(headline.ratio(table[case], "engine"), f"as fast: a page fault of a {name}, if kscrubd and the engine cleared it before")
             for name, case in headline.CASES.items() if {"stock", "engine"} <= table.get(case, {}).keys()]
    found = [found[0], found[-1]] if len(found) > 1 else found
    if {"cpu", "engine"} <= costs.keys():
        found.append((f"{costs['engine']:.0f} cycles", f"of the CPU to clear a 4 KiB page ahead with the engine; {costs['cpu']:.0f} with its own stores"))
    return found


def bars(path: Path) -> list:
    """The picture of durations: [(size, [(mode, percent of stock's duration, label)])]."""
    table = report.collect(report.load(path)[1])
    found = []
    for name, case in headline.CASES.items():
        row = {mode: min(table[case][mode]) for mode in headline.BARS if mode in table.get(case, {})}
        if {"stock", "engine"} <= row.keys():
            found.append((name, [(mode, cycles / row["stock"] * 100, f"{cycles:,.0f}".replace(",", "\u2009") + " cycles",
                                  "" if mode == "stock" else f"{headline.ratio(table[case], mode)} as fast") for mode, cycles in row.items()]))
    return found


def caveat(path: Path) -> str:
    """When the gain is small, in one sentence; empty if that was not measured."""
    whole = report.collect(report.load(path)[1]).get("4 KiB, 64 lines touched", {})
    if not {"stock", "engine", "demand"} <= whole.keys():
        return ""
    return (f"A program that uses all of a 4 KiB page at once gains less: its fault is {headline.ratio(whole, 'engine')} as fast if the page was cleared before, "
            f"and {headline.ratio(whole, 'demand')} as fast if the engine clears it in the fault. The page is not in the CPU's cache then.")


def _machine(origin: dict) -> str:
    config = origin.get("config", "-")
    if not isinstance(config, dict):
        return config.rsplit(".", 1)[-1]
    return (f"Rocket {config['rocket']}, {config['port']} front port, {config['ram_mib']} MiB; DRAM: {config['read_latency']} cycles read, "
            f"{config['write_latency']} write, {config['bandwidth']} bytes a cycle")


def _software(origin: dict) -> str:
    if "chipyard" in origin:
        return f"Chipyard {origin['chipyard'][:12]}" + (f", FireSim {origin['firesim'][:12]}" if "firesim" in origin else "")
    return f"Linux {origin.get('linux', '-')}, OpenSBI {origin.get('opensbi', '-')}"


def origins(paths: list) -> str:
    """Where each result comes from, as a table, and the Python packages of all."""
    lines = ["| result | BlockZero | machine | software | compiler | simulated |", "|---|---|---|---|---|---|"]
    packages: dict = {}
    for path in paths:
        origin, _ = report.load(path)
        stats = origin.get("stats", {})
        speed = f"{stats['cycles'] / 1e9:.2f} billion cycles at {stats['khz']:.0f} kHz" if {"cycles", "khz"} <= stats.keys() else "-"
        lines.append(f"| {report.run_name(path)} | {provenance.revision(origin)} | {_machine(origin)} | {_software(origin)} | {origin.get('compiler', '-')} | {speed} |")
        packages.update(dict.fromkeys(origin.get("requirements", [])))
    if packages:
        lines += ["", f"Python packages, with hashes pinned in `sims/requirements.txt`: {', '.join(sorted(packages))}."]
    return markdown.to_html("\n".join(lines))


def _script(value: object) -> str:
    """JSON that may stand in a <script>."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def page(paths: list) -> str:
    """The HTML of these result files."""
    import jinja2  # pylint: disable=import-outside-toplevel
    from plotly.offline import get_plotlyjs  # pylint: disable=import-outside-toplevel

    found = sort(paths)
    chapters = sections(found)
    plots = {}
    for section in chapters:
        for n, plot in enumerate([*section.plots, *section.small]):
            plot["id"] = f"{section.key}-{n}"
            plots[plot["id"]] = {"data": plot["data"], "layout": plot["layout"]}
    bench = found.get("bench", [None])[0]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), undefined=jinja2.StrictUndefined, autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    return environment.get_template(TEMPLATE).render(
        sections=chapters, numbers=numbers(bench) if bench else [], bars=bars(bench) if bench else [], caveat=caveat(bench) if bench else "",
        meanings=headline.BARS, colours=report.COLOURS, origins=origins([path for files in found.values() for path in files]),
        plots=_script(plots), plotly=get_plotlyjs())


def write(paths: list, to: Path) -> None:
    """Makes the page `to` of these result files, or of those published if there are none."""
    text = page(paths or published())
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text, encoding="utf-8")


def make() -> None:
    """Writes build/report.html, of the results that RESULTS names or of those published."""
    to = BUILD / "report.html"
    write(runs.named(), to)
    print(f"report: {to}")
