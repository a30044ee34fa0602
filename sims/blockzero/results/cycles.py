# SPDX-License-Identifier: BSD-3-Clause
"""Where the cycles of a page fault go, by stage and by function: from the sampled profile of its run to a record, from records to a table."""

from collections import Counter
from pathlib import Path

from .. import ui
from . import profile, report

NAME = "cycles"
PROGRAM, PASS = "pft", "touch_share"  # the program that faults, and its function that touches memory

# The stage that a function begins, with all that it calls until one of another stage.
STAGES = {
    "clear the page": ("memset", "clear_page", "clear_pages", "zero_engine_clear_folio", "folio_zero_user", "folio_zero_rest"),
    "allocate it": ("__folio_alloc_noprof", "__alloc_pages_noprof", "vma_alloc_page_zeroing"),
    "add it to the rmap and the LRU": ("folio_add_new_anon_rmap", "folio_add_lru_vma"),
    "find the mapping and lock it": ("lock_mm_and_find_vma", "down_read_trylock", "up_read"),
    "page tables, and what decides": ("handle_mm_fault", "__handle_mm_fault"),
    "enter the kernel and leave it": ("handle_exception", "ret_from_exception", "do_page_fault"),
    "interrupts meanwhile": ("do_irq", "riscv_timer_interrupt", "riscv_intc_irq"),
    "the program's own stores": (PASS,),
}
_STAGE_OF = {function: stage for stage, functions in STAGES.items() for function in functions}
FUNCTIONS = 12  # in the table


def record(samples: Path, symbols: list[Path]) -> dict:
    """Cycles by stage and by function of the passes over memory in a run's profile; an Error if no function of a stage's is in the symbols."""
    names = profile.Symbols(symbols).names()
    missing = [f"{stage} ({', '.join(functions)})" for stage, functions in STAGES.items() if not names & set(functions)]
    if missing:
        raise ui.Error(f"the kernel or the program has none of the functions of: {'; '.join(missing)}; see STAGES in results/cycles.py")
    stages: Counter = Counter()
    functions: Counter = Counter()
    for stack, cycles in profile.fold(samples, symbols).items():
        if PASS in stack:
            stages[next(_STAGE_OF[function] for function in reversed(stack) if function in _STAGE_OF)] += cycles
            functions[stack[-1]] += cycles
    return {"test": NAME, "stages": dict(stages), "functions": dict(functions)}


def faults(records: list) -> dict:
    """{mode: (cycles of a fault by stage, by function)}; a run's faults are those of its pft."""
    found = {}
    for one in records:
        if one["test"] == NAME:
            measured = [other for other in records if other["test"] == "pft" and other["cell"] == one["cell"]]
            folios = sum(other["folios"] for other in measured)
            found[measured[0]["mode"]] = tuple({name: cycles / folios for name, cycles in one[key].items()} for key in ("stages", "functions"))
    return found


def _table(head: str, names: list, modes: dict, which: int) -> str:
    lines = [f"| {head} | {' | '.join(report.TITLES[mode] for mode in modes)} |", "|---|" + "---:|" * len(modes)]
    for name in names:
        lines.append(f"| {name} | {' | '.join(f'{costs[which].get(name, 0):.0f}' for costs in modes.values())} |")
    return "\n".join(lines)


def _total(costs: tuple) -> float:
    return sum(costs[0].values())


def page(path: Path) -> str:
    """cycles.md, from a result file."""
    origin, records = report.load(path)
    found = faults(records)
    modes = {mode: found[mode] for mode in report.MODES if mode in found}
    dearest = sorted({name for _, functions in modes.values() for name in functions}, key=lambda name: -max(functions.get(name, 0) for _, functions in modes.values()))
    stages = [stage for stage in STAGES if any(stage in costs[0] for costs in modes.values())]
    totals = f"| all | {' | '.join(f'{_total(costs):.0f}' for costs in modes.values())} |"
    said = "; ".join(f"{report.TITLES[mode]}: {_total(costs):.0f} cycles, of which clearing is {costs[0].get('clear the page', 0) / _total(costs):.0%}"
                     for mode, costs in modes.items())
    return (f"# Where the cycles of a page fault go\n\nA 4 KiB page, one line touched. {said}.\n\nThe hart's program counter is sampled every 101 cycles, with its "
            f"call stack, while the program touches memory the first time and once more. Interrupts are counted where they come. "
            f"{report.machine(origin)}\n\nBy stage:\n\n{_table('cycles of a fault', stages, modes, 0)}\n{totals}\n\n"
            f"By function, without what it calls:\n\n{_table('function', dearest[:FUNCTIONS], modes, 1)}\n\n"
            f"The same for any program, with a flame graph: `make profile RUN='...'`.\n")


def publish(path: Path) -> list:
    """Makes a result the one that the documentation shows; the files written."""
    return report.publish_page(path, NAME, page, NAME)
