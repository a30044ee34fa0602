# SPDX-License-Identifier: BSD-3-Clause
"""Runs. Each has a directory of its own, build/runs/<time>-<name>, so that any number of them may go on at once.

In it are provenance.json, written before anything runs; console.txt and stats.json of the simulation; and result.jsonl, once it has
ended well: the provenance in the first line, then a record a line. What consists of several simulations has a directory in it for each.
"""

import itertools
import json
import os
import threading
import time
from pathlib import Path
from typing import Optional

from .. import ui
from ..paths import BUILD
from . import provenance

RESULT = "result.jsonl"
_lock = threading.Lock()


def write(path: Path, text: str) -> None:
    """All of a file, or nothing."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text)
    partial.rename(path)


class Run:
    """One run, or one of its simulations; `origin` is the provenance of all of it."""

    def __init__(self, home: Path, origin: dict, root: Path) -> None:
        self.home, self.origin, self._root = home, origin, root
        self.name = home.name if home != root else origin["run"]
        self.console, self.stats = home / "console.txt", home / "stats.json"

    def part(self, name: str) -> "Run":
        """One of its simulations."""
        (self.home / name).mkdir(parents=True)
        return Run(self.home / name, self.origin, self._root)

    def starts(self) -> None:
        """To be called when all is built: writes the provenance, which says if the repository is no longer what it was in the beginning."""
        with _lock:
            if any(self.origin[key] != value for key, value in provenance.repository().items()):
                self.origin["git_changed"] = True
            write(self._root / "provenance.json", json.dumps(self.origin, indent=2) + "\n")

    def keep(self, records: list, some: bool = True) -> Path:
        """Writes the result file, in which there must be `some` records."""
        if some and not records:
            raise ui.Error(f"{self.name} printed no results; consoles: {self.home}")
        write(self.home / RESULT, "".join(json.dumps(line) + "\n" for line in [{"provenance": self.origin}, *records]))
        return self.home / RESULT


def new(name: str, before: dict, measured: dict) -> Run:
    """A run: `before` is provenance.repository() from before its builds, `measured` the rest of its provenance."""
    origin = {"run": name, **before, **measured}
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for n in itertools.count(1):  # several may begin in the same second
        home = BUILD / "runs" / f"{stamp}{f'.{n}' if n > 1 else ''}-{name}"
        try:
            home.mkdir(parents=True)
        except FileExistsError:
            continue
        run = Run(home, origin, home)
        run.starts()
        return run
    raise AssertionError


def unfinished(name: str, before: dict, measured: dict) -> Optional[Run]:
    """The newest run of this name and provenance that did not end, to go on with."""
    origin = {"run": name, **before, **measured}
    for home in sorted((BUILD / "runs").glob(f"*-{name}"), reverse=True):
        said = home / "provenance.json"
        if said.exists() and not (home / RESULT).exists() and json.loads(said.read_text()) == json.loads(json.dumps(origin)):
            return Run(home, origin, home)
    return None


def latest() -> dict:
    """{name of a run: the directory of the newest that has ended well}."""
    return {path.parent.name.split("-", 2)[-1]: path.parent for path in sorted((BUILD / "runs").glob(f"*/{RESULT}"))}


def named(variable: str = "RESULTS") -> list:
    """The result files that a make variable names, by themselves or by the directories of their runs."""
    found = []
    for name in (os.environ.get(variable) or "").split():
        path = Path(name).expanduser()
        path = path / RESULT if path.is_dir() else path
        if not path.is_file():
            raise ui.Error(f"{variable}={name}: there is no {path}; a run that ended well has one")
        found.append(path)
    return found
