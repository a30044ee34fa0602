# SPDX-License-Identifier: BSD-3-Clause
"""What is proven of which tiles, and that the proofs would fail: mutants break a promise, and nothing assumed forbids what must be possible."""

import json
import re
from dataclasses import asdict
from pathlib import Path

from ..building import cache, fpga
from ..building.fpga import Tile
from .. import processes, ui
from . import model, mutants

SOLVE = Path(__file__).with_name("solve.py")
TILES = {
    "small": Tile(channels=2, queue=4, inflight=4, windows=2),
    "1 channel": Tile(channels=1, queue=4, inflight=4, windows=1),
    "odd numbers": Tile(channels=3, queue=2, inflight=3, windows=3, address_bits=33),
}
TINY = Tile(channels=1, queue=2, inflight=2, windows=1)  # mutants and examples need no more, and are found sooner
DEPTH = 10  # cycles from that of reset on, for them
TEXT = re.compile(r"// (PROMISE|CHISEL|REACHED) (.*)")


def _solve(home: Path, *how: str) -> list:
    """The solver's records about a model."""
    def make(partial: Path, _log: Path) -> None:
        with open(partial / "records.jsonl", "w", encoding="utf-8") as out, open(partial / "errors", "w", encoding="utf-8") as errors:
            code = processes.run([fpga.environment() / "bin" / "python", SOLVE, home / "Prove.smt2", *how], stdout=out, stderr=errors)
        if code:
            raise ui.Error(f"the solver failed ({code}): {(partial / 'errors').read_text().strip()[-200:]}")
    text = cache.build("proof", [fpga.REQUIREMENTS, home / "Prove.smt2", SOLVE, *how], make, f"proofs: bitwuzla, {how[0]}", "1 minute")
    return [json.loads(line) for line in (text / "records.jsonl").read_text().splitlines()]


def _said(home: Path, at: str) -> tuple:
    """(kind, text) of what stands in the comment of an assertion's line; an invariant has none."""
    file, line = at.split(".sv:")
    match = TEXT.search((home / f"{file}.sv").read_text().splitlines()[int(line.split(".")[0]) - 1])
    return (match[1], match[2]) if match else ("INVARIANT", at)


def _induction(home: Path, **what) -> dict:
    """Proves all of a model: {kind: {what is proven: number of assertions}}, and what is not."""
    records = _solve(home, "induction")
    result: dict = {"test": "prove", **what, "seconds": round(sum(r["seconds"] for r in records)), "assertions": len(records), "proven": {}, "failed": []}
    for record in records:
        kind, text = _said(home, record["at"])
        if record["holds"]:
            counts = result["proven"].setdefault(kind, {})
            counts[text] = counts.get(text, 0) + 1
        else:
            result["failed"].append(f"{record['assertion']}: {text}")
    if not records:
        result["failed"].append("there are no assertions")
    return result


def induction(name: str, tile: Tile) -> dict:
    """Proves everything of a tile."""
    return _induction(model.build(tile), **asdict(tile), kind="induction", tile=name)


def part(name: str) -> dict:
    """Proves everything of what stands between harts, engine and memory."""
    return _induction(model.part(name), kind="part", part=name)


def mutant(name: str, of: str = "") -> dict:
    """Looks for the cycle in which a mutant of the engine, or of a part, breaks a promise; None if there is none."""
    home = model.part(of, mutants.change(name, of)) if of else model.build(TINY, mutants.change(name))
    promises = [number for number, at in re.findall(r"^; yosys-smt2-assert (\d+) \S+ (\S+)", (home / "Prove.smt2").read_text(), re.M)
                if _said(home, at)[0] != "INVARIANT"]
    last = _solve(home, "bounded", str(DEPTH), *promises)[-1]
    broken = sorted({_said(home, at)[1] for at in last.get("failing", [])})
    return {"test": "prove", "kind": "mutant", **({"part": of} if of else {}), "mutant": name, "cycle": None if last["holds"] else last["cycle"], "breaks": broken}


def reached(of: str = "") -> list:
    """The first cycle of each example of what must be possible, for the engine or for a part."""
    home = model.part(of) if of else model.build(TINY)
    return [{"test": "prove", "kind": "reached", **({"part": of} if of else {}), "what": _said(home, record["at"])[1], "cycle": record["cycle"]}
            for record in _solve(home, "reach", str(DEPTH))]


def verdicts(records: list) -> list:
    """[(good, what to say)] of records."""
    result = []
    for record in records:
        if record["kind"] in ("induction", "part"):
            failed = record["failed"]
            of = record.get("part") or f"the tile '{record['tile']}'"
            result.append((not failed, f"proofs: {record['assertions']} assertions hold in every cycle of {of}"
                                       + "".join(f"; not proven: {each}" for each in failed)))
        elif record["kind"] == "mutant":
            result.append((record["cycle"] is not None, f"proofs: '{record['mutant']}' breaks " + (
                f"a promise in cycle {record['cycle']}: {record['breaks'][0]}" if record["breaks"] else f"no promise within {DEPTH} cycles")))
        else:
            result.append((record["cycle"] is not None, f"proofs: possible: {record['what']}" + ("" if record["cycle"] is not None else f": not within {DEPTH} cycles")))
    return result


def _parts() -> list:
    return [record for name, changes in mutants.OF_PARTS.items() for record in (part(name), *reached(name), *(mutant(change, name) for change in changes))]


def quick() -> list:
    """The small tile, some mutants of it, and all of the parts: seconds each."""
    return [induction("small", TILES["small"]), *reached(), *(mutant(name) for name in mutants.QUICK), *_parts()]


def everything() -> list:
    return [*(induction(name, tile) for name, tile in TILES.items()), *reached(), *(mutant(name) for name in mutants.MUTANTS), *_parts()]
