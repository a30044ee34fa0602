# SPDX-License-Identifier: BSD-3-Clause
"""Where a simulation's cycles went, by function: a table, folded stacks and a flame graph, from what the simulator's --profile writes.

Needs Plotly for the flame graph: the tools' Python has it.
"""

import bisect
from collections import Counter
from pathlib import Path
from typing import Iterator

from .. import ui
from ..building.tools import CROSS

TEXT = "tTwW"  # nm's letters for functions
REACH = 1 << 20  # bytes; an address further behind the symbol before it belongs to no function of that file
LEAST = 0.0005  # of all cycles; what has less is left out of the flame graph
ROOT, NOWHERE = "all", "[no symbol]"


class Symbols:
    """Functions by address, of ELF files and System.maps. Programs may lie at the same addresses: the first that has one there counts."""

    def __init__(self, files: list[Path]) -> None:
        self._files = [self._read(file) for file in files]

    @staticmethod
    def _read(file: Path) -> list:
        text = file.read_text() if file.name.startswith("System.map") else ui.output([f"{CROSS}nm", "--defined-only", "--print-size", file])
        found: dict = {}
        for line in text.splitlines():
            address, *size, kind, name = line.split()
            if kind in TEXT and not name.startswith((".L", "$")) and (size or int(address, 16) not in found):  # labels have no size
                found[int(address, 16)] = name
        return sorted(found.items())

    def names(self) -> set:
        """Of all functions, without what the compiler appends to those that it has specialized."""
        return {name.split(".")[0] for symbols in self._files for _, name in symbols}

    def function(self, address: int) -> str:
        """The name of the function that holds an address."""
        for symbols in self._files:
            n = bisect.bisect_right(symbols, (address, "\x7f")) - 1
            if n >= 0 and address - symbols[n][0] < REACH:
                return symbols[n][1]
        return NOWHERE


def stacks(profile: Path) -> Iterator[tuple]:
    """(hart, [addresses], cycles) of each line of a profile."""
    for line in profile.read_text().splitlines():
        names, cycles = line.rsplit(" ", 1)
        hart, *addresses = names.split(";")
        yield int(hart), [int(address, 16) for address in addresses], int(cycles)


def fold(profile: Path, symbols: list[Path]) -> Counter:
    """{(hart, function, ...): cycles}."""
    names = Symbols(symbols)
    folded: Counter = Counter()
    for hart, addresses, cycles in stacks(profile):
        functions = [names.function(address) for address in addresses]
        unknown = [one == other == NOWHERE for one, other in zip(functions, [None, *functions])]  # callers without a name are shown as one
        folded[(f"hart {hart}", *(name for name, again in zip(functions, unknown) if not again))] += cycles
    return folded


def table(folded: Counter) -> list[tuple]:
    """(function, cycles in it and not in what it calls, their share of all), most cycles first."""
    cycles: Counter = Counter()
    for stack, count in folded.items():
        cycles[stack[-1]] += count
    return [(function, count, count / folded.total()) for function, count in cycles.most_common()]


def nodes(folded: Counter) -> dict:
    """{the path from the root to a function: its cycles and those of what it calls}, without what is too small to be seen."""
    total: Counter = Counter()
    for stack, count in folded.items():
        for depth in range(len(stack) + 1):
            total[(ROOT, *stack[:depth])] += count
    return {path: count for path, count in total.items() if count >= LEAST * folded.total()}


def _flame_graph(folded: Counter, file: Path) -> None:
    import plotly.graph_objects as go  # pylint: disable=import-outside-toplevel,import-error
    cycles = nodes(folded)
    figure = go.Figure(go.Icicle(ids=[";".join(path) for path in cycles], labels=[path[-1] for path in cycles],
                                 parents=[";".join(path[:-1]) for path in cycles], values=list(cycles.values()), branchvalues="total",
                                 tiling={"orientation": "v"}, hovertemplate="%{label}<br>%{value} cycles, %{percentRoot:.1%}<extra></extra>"))
    figure.update_layout(margin={"t": 8, "l": 8, "r": 8, "b": 8})
    figure.write_html(file, include_plotlyjs=True)


def write(profile: Path, symbols: list[Path], to: Path) -> list[tuple]:
    """The table of table(); in the directory `to` profile.txt has it, profile.folded the stacks, profile.html the flame graph."""
    folded = fold(profile, symbols)
    if not folded:
        raise ui.Error(f"{profile} has no samples: the run ended before the first")
    rows = table(folded)
    (to / "profile.txt").write_text("".join(f"{cycles:12} {share:6.1%}  {function}\n" for function, cycles, share in rows))
    (to / "profile.folded").write_text("".join(f"{';'.join(stack)} {cycles}\n" for stack, cycles in sorted(folded.items())))
    _flame_graph(folded, to / "profile.html")
    return rows
