# SPDX-License-Identifier: BSD-3-Clause
"""The tables of five earlier proposals beside the same measurements on our SoCs, and whether each claim holds. From a result file alone."""

from pathlib import Path
from statistics import median

from ..running import provenance
from . import report
from .claims import GORMAN, LAMETER, LAMETER_LINES, LU, PUSUKURI, PUSUKURI_COW, PUSUKURI_START
from .rivals import TITLES as CLEARED_BY
from .rivals import cycles as folio_cycles

NAME = "seeds"
LOCK = {"0": "held for all pages", "1": "released if somebody waits", "2": "released after each page"}
LOADS = {"lock-copy": "dd and rm, one task", "lock-exec": "fork and exec on four harts", "lock-fault": "page faults on four harts"}


def of(records: list, run: str) -> dict:
    """{mode: its records} of a run of the set; a run is named RUN-MODE within its system."""
    found: dict = {}
    for record in records:
        name = record["cell"].split("/")[-1]
        if name.startswith(f"{run}-"):
            found.setdefault(name.removeprefix(f"{run}-"), []).append(record)
    return found


def _table(heads: list, rows: list) -> str:
    lines = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) - 1)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def _holds(does: bool) -> str:
    return "The claim holds" if does else "The claim does not hold here"


def _rates(record: dict) -> tuple:
    """User, System and Wall in seconds, flt/cpu/s, fault/wsec: the columns of Lameter's program."""
    second = record["mhz"] * 1e6
    return (record["user_cycles"] / second, max(record["cycles"] - record["user_cycles"], 0) / second, record["wall_ns"] / 1e9,
            record["faults"] * second / record["cycles"], record["faults"] * 1e9 / record["wall_ns"])


def _rates_row(who: str, mode: str, rep: int, threads: int, rates: tuple, stock: tuple) -> list:
    user, system, wall, per_cpu, per_wall = rates
    return [who, report.TITLES[mode], str(rep), str(threads), f"{user:.4f}", f"{system:.4f}", f"{wall:.4f}", f"{per_cpu:.0f}", f"{per_wall:.0f}",
            f"{per_wall / stock[-1]:.2f}x"]


def threads(records: list) -> dict:
    """{(mode, rep, threads): rates} of what was measured on four harts."""
    return {(mode, record["rep"], record["threads"]): _rates(record)
            for count in (1, 2, 4) for mode, found in of(records, f"threads-{count}").items() for record in found}


def _lameter(records: list) -> str:
    ours = threads(records)
    rows = [_rates_row("Pentium III", *key, rates, LAMETER["stock", *key[1:]]) for key, rates in LAMETER.items()]
    rows += [_rates_row("four harts", *key, rates, ours["stock", *key[1:]]) for key, rates in sorted(ours.items(), key=lambda one: (one[0][1], one[0][2]))]
    gains = {(mode, rep): [ours[mode, rep, n][-1] / ours["stock", rep, n][-1] for n in (1, 2, 4)] for mode in ("cpu", "engine") for rep in (1, 10)}
    verdict = (f"**{_holds(min(gains['cpu', 1]) > 2)}: a fault is {min(gains['cpu', 1]):.1f}x to {max(gains['cpu', 1]):.1f}x as fast if its page was zeroed ahead.** "
               f"In rapid succession the CPU's kscrubd gains {min(gains['cpu', 10]):.1f}x to {max(gains['cpu', 10]):.1f}x, and with the engine "
               f"{min(gains['engine', 10]):.1f}x to {max(gains['engine', 10]):.1f}x.")
    head = ["machine", "cleared by", "Rep", "Threads", "User", "System", "Wall", "flt/cpu/s", "fault/wsec", "to stock"]
    return f"{verdict}\n\n{_table(head, rows)}"


def lines(records: list) -> dict:
    """{(folio in KiB, lines touched): {mode: faults a second}}."""
    found: dict = {}
    for mode, measured in of(records, "lines").items():
        for record in measured:
            found.setdefault((record["folio_kib"], record["lines"]), {})[mode] = record["folios"] * record["mhz"] * 1e6 / record["cycles"]
    return found


def _lines(records: list) -> str:
    ours = lines(records)
    rows = []
    for count in (1 << n for n in range(9)):
        row = [str(count), f"{LAMETER_LINES[count]:.0f}" if count in LAMETER_LINES else "-"]
        for size in (4, 16):
            both = ours.get((size, count))
            row += [f"{both['stock']:.0f}", f"{both['engine']:.0f}", f"{both['engine'] / both['stock']:.2f}x"] if both else ["-"] * 3
        rows.append(row)
    gain = {key: both["engine"] / both["stock"] for key, both in ours.items()}
    verdict = (f"**{_holds(gain[16, 1] > 2 * gain[16, 256])}: the fewer lines are touched, the more zeroing ahead gains: {gain[16, 1]:.1f}x with one line of 16 KiB, "
               f"{gain[16, 256]:.2f}x with all 256; {gain[4, 1]:.1f}x and {gain[4, 64]:.2f}x with 4 KiB.**")
    return f"{verdict}\n\n{_table(['lines touched', 'Altix, zeroed ahead', '4 KiB, stock', 'engine', 'to stock', '16 KiB, stock', 'engine', 'to stock'], rows)}"


def each(records: list, **which: object) -> list:
    """Cycles, by the clock, of each iteration in those of churn's measurements that are `which`."""
    return [record["ns"] * record["mhz"] / 1000 / record["iterations"] for record in records if record["test"] == "churn" and which.items() <= record.items()]


def _porter(records: list) -> str:
    rows, changes = [], {}
    for run, title in LOADS.items():
        costs = {setting: each(found) for setting, found in of(records, run).items()}
        held = median(costs["0"])
        changes[run] = {setting: (median(values) / held - 1) * 100 for setting, values in costs.items()}
        spread = (max(costs["0"]) - min(costs["0"])) / held * 100
        rows.append([title, *(f"{median(costs[setting]):.0f}{'' if setting == '0' else f'  {changes[run][setting]:+.1f}%'}" for setting in LOCK), f"{spread:.1f}%"])
    best = min(changes[run]["2"] for run in ("lock-exec", "lock-fault"))
    verdict = (f"**{_holds(best < -2)}: with the lock released after each page, four harts need {changes['lock-fault']['2']:+.1f}% for page faults and "
               f"{changes['lock-exec']['2']:+.1f}% for fork and exec. One task alone needs {changes['lock-copy']['2']:+.1f}% for Morton's test, dd and rm.**")
    return (f"{verdict} Porter reported that a kernel compiled 5% faster on 8 CPUs, and with the lock released under contention no more than 1 to 2%.\n\n"
            f"{_table(['load; time of each repetition, in cycles', *LOCK.values(), 'spread'], rows)}")


def locks(records: list) -> dict:
    """{batch: (pages a second, shares of zone->lock and of the LRU's lock in percent)}."""
    found = {}
    for batch, measured in of(records, "batch").items():
        cycles = next(record["cycles"] for record in measured if record["test"] == "locks")
        rate = median(record["pages"] * 1e9 / record["ns"] for record in measured if record["test"] == "churn")
        found[int(batch)] = (rate, cycles["zone"] / cycles["all"] * 100, cycles["lru"] / cycles["all"] * 100)
    return found


def _lu(records: list) -> str:
    ours = locks(records)
    base = ours[31][0]
    rows = []
    for batch, (rate, zone, lru) in sorted(ours.items()):
        theirs = [f"{LU[machine][batch][0]:+.1f}%  {LU[machine][batch][1]}%  {LU[machine][batch][2]}%" if batch in LU[machine] else "-" for machine in LU]
        rows.append([str(batch), *theirs, f"{rate:.0f}", f"{(rate / base - 1) * 100:+.1f}%", f"{zone:.1f}%", f"{lru:.1f}%"])
    gain = (ours[63][0] / base - 1) * 100
    verdict = (f"**{_holds(gain > 2)}: with a batch of 63 instead of 31, four harts make {gain:+.1f}% page faults.** Taking zone->lock is {ours[31][1]:.1f}% of their cycles "
               f"with 31 and {ours[63][1]:.1f}% with 63. As in Lu's tables, the gain is as large as the lock's share, which grows with the number of CPUs.")
    head = ["batch", *(f"{machine}: score, zone->lock, LRU lock" for machine in LU), "four harts: pages a second", "to 31", "zone->lock", "LRU lock"]
    return f"{verdict}\n\n{_table(head, rows)}"


def truncations(records: list) -> dict:
    """{bytes: {mode: cycles of one write and truncation}}."""
    found: dict = {}
    for mode, measured in of(records, "truncate").items():
        for record in measured:
            if record["test"] == "churn":
                (found.setdefault(record["bytes"], {})[mode],) = each([record])
    return found


def _gorman(records: list) -> str:
    ours = truncations(records)
    change = {mode: {size: (costs[mode] / costs["stock"] - 1) * 100 for size, costs in ours.items()} for mode in ("cpu", "engine")}
    rows = [[str(size), f"{GORMAN[size][0]:.3f}", f"{GORMAN[size][1]:.3f}", f"{(GORMAN[size][1] / GORMAN[size][0] - 1) * 100:+.1f}%", f"{costs['stock']:.0f}",
             f"{costs['cpu']:.0f}  {change['cpu'][size]:+.1f}%", f"{costs['engine']:.0f}  {change['engine'][size]:+.1f}%"] for size, costs in sorted(ours.items())]
    means = {mode: sum(values.values()) / len(values) for mode, values in change.items()}
    verdict = (f"**{_holds(all(abs(mean) < 5 for mean in means.values()))}: it makes little difference which freed pages are used first. With kscrubd on, a write and truncation takes "
               f"{means['cpu']:+.1f}% (CPU) and {means['engine']:+.1f}% (engine) in the mean over the sizes.** Linux dropped the difference between hot and cold pages in 2017, so "
               "its two columns cannot be measured today. kscrubd asks the same question: it takes free pages away, and leaves those alone that were freed last.")
    head = ["bytes", "2009, with: s", "without: s", "difference", "stock: cycles", "kscrubd, CPU", "kscrubd, engine"]
    return f"{verdict}\n\n{_table(head, rows)}"


def huge(records: list) -> dict:
    """{mode: cycles for a huge page}."""
    return {mode: min(folio_cycles(record, "fault_ns") for record in found) for mode, found in of(records, "huge").items()}


def _cells(values: dict, mode: str) -> list:
    return [f"{values[mode]:.0f}", f"{values['stock'] / values[mode]:.2f}x"]


def _pusukuri(records: list) -> str:
    ours = huge(records)
    titles = {**CLEARED_BY, "engine": "kscrubd and the engine, ahead"}
    started = {kind: {mode: min(each(found, kind=kind)) for mode, found in of(records, "start").items()} for kind in ("start", "cow")}
    clearing = [[titles[mode], *(["-", "-"] if mode in ("demand", "engine") else _workers(mode)), *_cells(ours, mode)] for mode in titles if mode in ours]
    whole = [[titles[mode], *_cells(started["start"], mode), *_cells(started["cow"], mode)] for mode in titles if mode in started["start"]]
    best = max(ours["stock"] / ours[mode] for mode in ours if mode.startswith("workers"))
    verdict = (f"**{_holds(best > 2)}: workers clear a huge page {best:.2f}x as fast as one hart at best, because one memory port serves all harts; the engine clears it "
               f"{ours['stock'] / ours['demand']:.1f}x as fast in the fault, and zeroed ahead the fault is {ours['stock'] / ours['engine']:.0f}x as fast.**")
    return (f"{verdict}\n\n{_table(['cleared by', 'Sparc M7, 2 GiB: ms', 'to one', 'four harts, 2 MiB: cycles', 'to one'], clearing)}\n\n"
            f"The start of a process that touches two huge pages, and copy-on-write of two: a child writes a byte to each. Pusukuri reported that a database with hundreds of huge pages "
            f"starts {PUSUKURI_START}x as fast, and that copies are about {PUSUKURI_COW}x as fast. Since 5.8, Linux copies just the 4 KiB page that is written, "
            f"unless the huge page is hugetlbfs's. The engine zeroes, it does not copy.\n\n"
            f"{_table(['cleared by', 'start: cycles', 'to one', 'copy-on-write: cycles', 'to one'], whole)}")


def _workers(mode: str) -> list:
    count = 0 if mode == "stock" else int(mode.removeprefix("workers"))
    return [str(PUSUKURI[count]), f"{PUSUKURI[0] / PUSUKURI[count]:.2f}x"] if count in PUSUKURI else ["-", "-"]


SECTIONS = {
    "Zeroing ahead of need (Lameter, 2005)": _lameter,
    "Cache lines touched (Lameter, 2005)": _lines,
    "zone->lock released between pages (Porter, 2007)": _porter,
    "The batch of pcp lists (Lu, 2018)": _lu,
    "Hot and cold pages (Gorman, 2009)": _gorman,
    "Huge pages cleared by several (Pusukuri, 2016)": _pusukuri,
}


def page(path: Path) -> str:
    """seeds.md, from a result file."""
    origin, records = report.load(path)
    sections = "\n\n".join(f"## {title}\n\n{section(records)}" for title, section in SECTIONS.items())
    return ("# What was claimed before, and what holds on this SoC\n\n"
            "Each section has the published figures of an earlier proposal beside ours. Theirs come from machines of their time with up to hundreds of CPUs. Ours come from one "
            "Rocket core, or four, at 100 MHz without an L2, with 32 MiB of memory. Compare ratios, not rates. Single runs unless a spread is given: "
            f"the simulation is deterministic. Linux {origin['linux']}, revision {provenance.revision(origin)}.\n\n{sections}\n\n"
            "`make bench SET=seeds` measures all of this again.\n")


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows; the files written."""
    return report.publish_page(path, NAME, page, NAME)
