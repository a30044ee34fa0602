# SPDX-License-Identifier: BSD-3-Clause
"""Checks counted and shown; the seed of the random ones among them."""

import random
import re
from pathlib import Path

from .. import ui
from ..config import number
from ..running import machine

TAP = re.compile(r"^(not )?ok (\d+)")


class Tally:
    """Counts checks and shows them, at the end once more those that failed; `seed` is of the random ones among them."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.passed = self.failed = 0
        self._bad: list[str] = []

    def show(self, good: bool, text: str) -> None:
        """A line for one or more checks, which are counted elsewhere."""
        print(f"{'ok' if good else 'NOT OK'} - {text}", flush=True)
        if not good:
            self._bad.append(text)

    def add(self, good: bool, text: str) -> None:
        self.passed += good
        self.failed += not good
        self.show(good, text)

    def tap(self, text: str, what: str, code: int) -> None:
        """Counts a console's TAP lines; fewer than its plan, or no plan, is a failure."""
        results = [match for line in text.splitlines() if (match := TAP.match(line))]
        failures = [line for line in text.splitlines() if line.startswith("not ok")]
        plan = re.search(r"^1\.\.(\d+)", text, re.M)
        for line in text.splitlines():
            if re.match(r" *not ok", line):
                print(f"    {line}")
                self._bad.append(f"{what}: {line.strip()}")
        good = len(results) - len(failures)
        complete = plan is not None and int(plan[1]) == len(results) > 0 and code == 0
        self.passed += good
        self.failed += len(failures) + (not complete and not failures)
        self.show(complete and not failures,
                  f"{what}: {good} of {plan[1] if plan else 'an unknown number'} passed"
                  + ("" if code == 0 else f"; {machine.EXIT_REASONS.get(code, f'exit code {code}')}"))

    def verdict(self, home: Path) -> None:
        """The last line; an Error, which names the directory of the consoles, unless all is well."""
        print("", *(f"NOT OK - {text}" for text in self._bad), f"{self.passed} passed, {self.failed} failed", sep="\n", flush=True)
        if self.failed:
            raise ui.Error(f"{self.failed} checks failed; consoles: {home}")


def seed() -> int:
    """The user's, or any."""
    return number("SEED", random.randrange(1, 1 << 30), 1, (1 << 30) - 1)
