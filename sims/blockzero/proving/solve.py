# SPDX-License-Identifier: BSD-3-Clause
"""Asks bitwuzla about a model of Yosys' write_smt2; a program of its own, as bitwuzla is in an environment of its own.

Usage: `solve.py MODEL induction`, `solve.py MODEL bounded DEPTH [ASSERTION ...]` or `solve.py MODEL reach DEPTH`. Output, one record a line:

- induction: for each assertion, whether it holds in every cycle after one in which all hold. The first cycle, that of reset, is such
  a cycle whatever registers and memories are then: no separate base case is needed.
- bounded: for each cycle from that of reset on, whether the assertions hold in it; ends with the first in which one fails.
- reach: for each cover statement, the first cycle that reaches it.
"""

import json
import os
import re
import sys
import time

from bitwuzla import Option, Options, Parser, Result, TermManager  # pylint: disable=import-error,no-name-in-module

SECONDS = 900  # at most, for each question


class Model:
    """States of the model, and what is asked about them."""

    def __init__(self, path: str):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.asserts, self.covers = (re.findall(rf"^; yosys-smt2-{kind} (\d+) (\S+) (\S+)", text, re.M) for kind in ("assert", "cover"))
        self.wires = re.findall(r"^\(define-fun \|Prove_n ([^|]*)\|", text, re.M)
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.TIME_LIMIT_PER, 1000 * SECONDS)
        self.parser = Parser(TermManager(), options)
        self.say("(set-logic QF_BV)\n" + text)

    def say(self, text: str) -> None:
        self.parser.parse(text, parse_only=False, parse_file=False)

    def possible(self, term: str) -> bool:
        """Whether it can be so, with all that was said; to be followed by forget()."""
        self.say(f"(push 1)(assert {term})")
        result = self.parser.bitwuzla().check_sat()
        if result == Result.UNKNOWN:
            raise RuntimeError(f"no answer within {SECONDS} s about {term}")
        return result == Result.SAT

    def forget(self) -> None:
        self.say("(pop 1)")

    def value(self, term: str) -> str:
        """In the last example."""
        return str(self.parser.bitwuzla().get_value(self.parser.parse_term(term)))

    def values(self, states: list) -> dict:
        """All wires in the last example, if the environment has WIRES."""
        return {"wires": [{name: self.value(f"(|Prove_n {name}| {state})") for name in self.wires} for state in states]} if os.environ.get("WIRES") else {}


def tell(begin: float, **record) -> None:
    print(json.dumps({**record, "seconds": round(time.monotonic() - begin, 2)}), flush=True)


def induction(model: Model) -> None:
    model.say("(declare-const s |Prove_s|)(declare-const n |Prove_s|)(assert (and (|Prove_h| s) (|Prove_u| s) (|Prove_a| s) (|Prove_t| s n) (|Prove_u| n)))")
    for number, name, at in model.asserts:
        begin = time.monotonic()
        fails = model.possible(f"(not (|Prove_a {number}| n))")
        tell(begin, assertion=name, at=at, holds=not fails, **(model.values(["s", "n"]) if fails else {}))
        model.forget()


def _states(model: Model, depth: int):
    """The cycles from reset on, one after the other."""
    model.say("(declare-const s0 |Prove_s|)(assert (and (|Prove_h| s0) (|Prove_i| s0) (|Prove_u| s0)))")
    for cycle in range(depth + 1):
        yield cycle, f"s{cycle}"
        model.say(f"(declare-const s{cycle + 1} |Prove_s|)(assert (and (|Prove_t| s{cycle} s{cycle + 1}) (|Prove_u| s{cycle + 1})))")


def bounded(model: Model, depth: int, only: list) -> None:
    chosen = [each for each in model.asserts if not only or each[0] in only]
    for cycle, state in _states(model, depth):
        begin = time.monotonic()
        if model.possible(f"(not (and true {' '.join(f'(|Prove_a {number}| {state})' for number, _, _ in chosen)}))"):
            failing = [at for number, _, at in chosen if model.value(f"(|Prove_a {number}| {state})") == "false"]
            tell(begin, cycle=cycle, holds=False, failing=failing, **model.values([f"s{i}" for i in range(cycle + 1)]))
            return
        tell(begin, cycle=cycle, holds=True)
        model.forget()


def reach(model: Model, depth: int) -> None:
    left = list(model.covers)
    for cycle, state in _states(model, depth):
        begin = time.monotonic()
        while left and model.possible(f"(or false {' '.join(f'(|Prove_c {number}| {state})' for number, _, _ in left)})"):
            there = [each for each in left if model.value(f"(|Prove_c {each[0]}| {state})") == "true"]
            for _, name, at in there:
                tell(begin, cover=name, at=at, cycle=cycle)
            left = [each for each in left if each not in there]
            model.forget()
        if not left:
            return
        model.forget()
    for _, name, at in left:
        tell(begin, cover=name, at=at, cycle=None)


def main() -> None:
    model, how = Model(sys.argv[1]), sys.argv[2]
    if how == "induction":
        induction(model)
    elif how == "bounded":
        bounded(model, int(sys.argv[3]), sys.argv[4:])
    else:
        reach(model, int(sys.argv[3]))


main()
