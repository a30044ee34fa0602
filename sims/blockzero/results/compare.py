# SPDX-License-Identifier: BSD-3-Clause
"""`make compare A=RUN B=RUN`: two results, case by case and mode by mode, from result files alone."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from .. import ui
from ..running import provenance, runs
from . import report, rivals

MODES = {**rivals.TITLES, **report.TITLES}
PER_RUN = ("run", "git", "git_dirty", "git_changes", "git_changed", "over", "plan", "stats", "seed")  # of the provenance, not the machine or its software
LAYOUT = ("git", "linux", "compiler")  # what may make another kernel


@dataclass(frozen=True)
class Row:
    """One cost in both results: cycles a folio in A and in B, one value a round."""

    case: str
    mode: str
    a: list
    b: list

    @property
    def ratio(self) -> float:
        """B's best round to A's: below 1, B is cheaper."""
        return min(self.b) / min(self.a)

    @property
    def exceeds(self) -> Optional[bool]:
        """Whether the difference exceeds the spread; None if a side has one round, so no spread is known.

        It does if both hold. The ranges of rounds do not overlap. And B differs from A, best round to best round, by more than the worst
        round of either differs from its best. Two or three rounds of one boot make this a screen and no test of significance: what differs
        from boot to boot, such as where the kernel's code lies, is not in the spread.
        """
        if min(len(self.a), len(self.b)) < 2:
            return None
        apart = max(self.a) < min(self.b) or max(self.b) < min(self.a)
        return apart and abs(math.log(self.ratio)) > max(math.log(max(values) / min(values)) for values in (self.a, self.b))


def cost(record: dict) -> float:
    """Cycles a folio. On several cores it is the time of the fault: the task that faults sleeps while workers clear."""
    return rivals.cycles(record, "fault_ns") if "cpu_ns" in record else report.cost(record)


def setting(record: dict) -> str:
    """What a set of runs varies from record to record, to be put before the case."""
    choices = {"LAYOUT": record["layout"], "PATCHES": record["patches"]} if "layout" in record else record.get("choices", {})  # the first of older results
    return ", ".join(f"{name}={value}" for name, value in choices.items()) + ": " if choices else ""


def costs(records: list) -> dict:
    """{(case, mode): [cycles a folio, or of the CPU for a page zeroed ahead, one a round]}, in the order measured."""
    found: dict = {}
    for record in records:
        if record.get("test") == "pft":
            found.setdefault((setting(record) + report.case(record), record["mode"]), []).append(cost(record))
        elif record.get("test") == "scrub" and record["pages"]:
            found.setdefault((setting(record) + "scrub, a page", record["mode"]), []).append(report.scrub_cost(record))
    return found


def rows(a: dict, b: dict) -> list:
    """What both have: differences that exceed the spread first, then the others, each by size."""
    both = [Row(*key, a[key], b[key]) for key in a if key in b]
    return sorted(both, key=lambda row: (not row.exceeds, -abs(math.log(row.ratio))))


def only(mine: dict, other: dict) -> list:
    """{case: its modes} that one result has and the other lacks, as text."""
    found: dict = {}
    for case, mode in mine:
        if (case, mode) not in other:
            found.setdefault(case, []).append(MODES.get(mode, mode))
    return [f"{case} ({'; '.join(modes)})" for case, modes in found.items()]


def _flat(origin: dict) -> dict:
    """Provenance without what differs from run to run, in one level."""
    flat = {}
    for name, value in origin.items():
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": found for inner, found in _flat(value).items() if inner.split(".")[0] != "regions"})
        elif name not in PER_RUN:
            flat[name] = value
    return flat


def _two(name: str, a: object, b: object) -> str:
    if isinstance(a, list) and isinstance(b, list):  # of packages, most of which are the same
        a, b = (", ".join(item for item in mine if item not in other) for mine, other in ((a, b), (b, a)))
    return f"{name}: {'-' if a in (None, '') else a} -> {'-' if b in (None, '') else b}"


def differences(a: dict, b: dict) -> list:
    """What the provenance of two results differs in, a line each. What config says, soc repeats under other names."""
    flat_a, flat_b = _flat(a), _flat(b)
    changed = {name: (flat_a.get(name), flat_b.get(name)) for name in {**flat_a, **flat_b} if flat_a.get(name) != flat_b.get(name)}
    chosen = [values for name, values in changed.items() if name.startswith("config.")]
    lines = [_two(name, *values) for name, values in changed.items() if not name.startswith("soc.") or values not in chosen]
    revisions = provenance.revision(a), provenance.revision(b)
    return [_two("revision", *revisions)] * (revisions[0] != revisions[1]) + lines


def _spread(values: list) -> str:
    return f"+{(max(values) / min(values) - 1) * 100:.1f}%" if len(values) > 1 else "one round"


def table(found: list) -> str:
    """Rows for the terminal; a star is where the difference exceeds the spread."""
    lines = [("", "what", "mode", "A, cycles", "", "B, cycles", "", "B/A", "")]
    for row in found:
        said = "one round, no spread" if row.exceeds is None else ""
        lines.append(("*" if row.exceeds else "", row.case, MODES.get(row.mode, row.mode), f"{min(row.a):.0f}", _spread(row.a),
                      f"{min(row.b):.0f}", _spread(row.b), f"{row.ratio:.3f}", said))
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ["  ".join(cell.ljust(width) if i in (0, 1, 2, 8) else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in lines]
    return "\n".join([text[0], "-" * max(map(len, text)), *text[1:]])


def verdict(found: list) -> str:
    """One line."""
    real = [row for row in found if row.exceeds]
    unknown = sum(row.exceeds is None for row in found)
    text = f"{len(real)} of {len(found)} differences exceed the spread"
    sides = []
    for word, chosen in (("cheaper", [row for row in real if row.ratio < 1]), ("dearer", [row for row in real if row.ratio > 1])):
        if chosen:
            most = chosen[0]
            sides.append(f"B is {word} in {len(chosen)}, most in {most.case}, {MODES.get(most.mode, most.mode)}: {most.ratio:.3f}")
    return "; ".join([text, *sides, *([f"{unknown} have one round, so no spread"] if unknown else [])]) + "."


def page(a: Path, b: Path) -> str:
    """The comparison, for the terminal."""
    (origin_a, records_a), (origin_b, records_b) = report.load(a), report.load(b)
    costs_a, costs_b = costs(records_a), costs(records_b)
    for path, found in ((a, costs_a), (b, costs_b)):
        if not found:
            raise ui.Error(f"{path} has neither page faults nor scrubs; compare takes results of make, make bench and those of its kind")
    found = rows(costs_a, costs_b)
    if not found:
        raise ui.Error(f"A and B have no case and mode in common: A has {only(costs_a, costs_b)[0]}, B has {only(costs_b, costs_a)[0]}, for example")
    lines = [f"A: {a}", f"B: {b}", *(f"   {line}" for line in differences(origin_a, origin_b) or ["same machine, software and revision"]), "",
             "Cycles a folio, the best round, and how far the worst is above it. B/A below 1: B is cheaper. *: exceeds the spread.", "",
             table(found), ""]
    lines += [f"only in {name}: {text}" for name, mine, other in (("A", costs_a, costs_b), ("B", costs_b, costs_a)) for text in only(mine, other)]
    if any(origin_a.get(name) != origin_b.get(name) for name in LAYOUT):
        lines.append("If the kernels differ, where their code lies alone makes up to 6% of a fault's cycles; make bench SET=layouts takes the mean.")
    return "\n".join([*lines, verdict(found)])


def write() -> None:
    """Shows how the result B differs from A."""
    found = [runs.named(variable) for variable in ("A", "B")]
    if [len(paths) for paths in found] != [1, 1]:
        raise ui.Error("which two? make compare A=RUN B=RUN, each a directory of build/runs or a result file")
    print(page(found[0][0], found[1][0]))
