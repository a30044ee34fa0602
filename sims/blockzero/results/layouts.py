# SPDX-License-Identifier: BSD-3-Clause
"""What a fault costs wherever the kernel's code happens to lie: kernels whose functions are moved about. Table, from a result file alone.

One layout is one sample: code that shares sets of the I-cache costs a fault some percent, and any change of any file moves what
lies behind it (Mytkowicz et al., ASPLOS 2009; Curtsinger and Berger, Stabilizer, ASPLOS 2013). Each of the functions
below begins in the same sets of the I-cache with the series and without, so that code that is the same in both lies alike.
The series' first patch adds nothing and has no switch, it only keeps code out of line; a kernel with that one alone shows what is its own.
"""

import random
import threading
from pathlib import Path
from statistics import mean, stdev

from .. import processes
from ..building import tools
from ..building.kernel import WAY
from ..config import Config, number
from ..running import linux, provenance, runs
from ..testing import tally
from . import report

NAME = "layouts"
# What a fault and what undoes it run through at least once for each page, by object; a name with a dot in front is a section's. What
# another compiler gives another name (.part.0) stays where it is.
CODE = {
    "entry": ".irqentry.text", "traps": ".noinstr.text", "common": ".noinstr.text", "fault": "handle_page_fault",
    "memory": "lock_mm_and_find_vma handle_mm_fault __handle_mm_fault __vmf_anon_prepare unmap_page_range vm_normal_page",
    "pgtable": "p4d_offset pud_offset", "pgtable-generic": "__pte_offset_map __pte_offset_map_lock pte_offset_map_nolock",
    "rwsem": "down_read_trylock up_read", "mmap": "find_vma", "maple_tree": "mt_find", "util": "folio_mapping", "memset": ".text",
    "page_alloc": "__folio_alloc_noprof __alloc_pages_noprof get_page_from_freelist __rmqueue_pcplist free_unref_folios "
                  "free_unref_page_commit free_pcppages_bulk __free_one_page",
    "swap": "folio_add_lru_vma lru_add folio_batch_move_lru folios_put_refs release_pages __page_cache_release.part.0",
    "rmap": "folio_add_new_anon_rmap folio_remove_rmap_ptes", "tlbflush": "__flush_tlb_range",
    "mmu_gather": "__tlb_remove_folio_pages __tlb_remove_folio_pages_size.constprop.0",
}
NAMES = {"all": "the series, all off", "first": "its first patch alone", "none": "no patch"}
PATCHES = {"all": None, "first": 1, "none": 0}  # of the series, that a kernel has
LINE = 64  # bytes, of Rocket's I-cache
ON_LAYOUTS = 4  # of the layouts have a measurement of what is zeroed ahead, too: the same kernel without zeroing is its own comparison
OFF_KIB = 256  # each measurement is over before the next timer tick, which takes as long as two faults
OFF = f"pft -m stock -s {OFF_KIB} -r 2 -c 4:1 -c 4:64"
ON = ["echo 63 > /proc/sys/vm/percpu_pagelist_batch", "pft -m engine,none -s 1024 -r 2 -c 4:1 -c 4:8", "pft -m engine,none -s 2048 -r 2 -c 16:1 -c 64:1"]


def padding(seed: int, layout: int) -> tuple:
    """(object, section of it, where in a way of the I-cache that begins) for all of CODE; of layout 0 none: it is the kernel as otherwise built."""
    chance = random.Random(f"{seed}/{layout}")
    sections = [(name, code if code[0] == "." else f".text.{code}") for name, codes in CODE.items() for code in codes.split()]
    return tuple((*where, chance.randrange(0, WAY, LINE)) for where in sections) if layout else ()


def measure() -> Path:
    """Boots each layout without the series and with it; the result file."""
    config = Config.from_environment()
    seed, count = tally.seed(), number("LAYOUTS", 8, 3, 100)
    print(f"seed {seed} (make bench-layouts SEED={seed} repeats it)", flush=True)
    before = provenance.repository()
    linux.prepare(config)
    run = runs.new(NAME, before, {**provenance.standalone(config), "seed": seed})
    building = threading.Lock()  # a kernel's build uses all cores, a simulation one

    def one(layout: int, patches: str) -> list:
        whole = patches == "all"
        with building:
            system = linux.system(config, "unsafe_no_zeroing" if whole else "", patches=PATCHES[patches], padding=padding(seed, layout))
        on = whole and layout < ON_LAYOUTS
        found = linux.measured(run.part(f"{layout}-{patches}"), system, [OFF, *(ON if on else [])], 100_000_000 if on else 25_000_000,
                               f"layout {layout}, {patches} of the series")
        return [{**record, "layout": layout, "patches": patches} for record in found]

    with processes.pool(tools.jobs()) as submit:
        tasks = [submit(one, layout, patches) for layout in range(count) for patches in PATCHES]
        return run.keep([record for task in tasks for record in task.result()])


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
    records = [record for record in records if record.get("test") == "pft"]
    lines = ["# A fault's cost, wherever the code lies", "",
             "Kernels without the series, with its first patch alone and with all of it, in layouts that differ in where in a way of the "
             f"I-cache the functions begin that a fault runs through (seed {origin['seed']}); the same ones begin at the same place in all "
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


def run() -> None:
    path = measure()
    print(f"\n{page(path)}\nresults: {path}")


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows; the files written."""
    return report.publish_page(path, NAME, page, NAME)
