# SPDX-License-Identifier: BSD-3-Clause
"""Builds kept under build/, keyed by the content of what goes in; an interrupted build leaves nothing behind.

Every key has in it what no caller should have to remember: the source of the module that builds, and of tools.py, whose flags all
share; the versions of Debian's compilers and the like; and Java's options, which may come from the environment.
"""

import fcntl
import hashlib
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Callable, Iterable, Union

from .. import processes, ui
from ..paths import BUILD, FLOW
from . import debian

Input = Union[str, Path]
KEPT = {"state": 60, "proof-model": 40, "proof": 40}  # results kept of a kind, the most recently used
KEPT_OF_OTHERS = 12


def digest(inputs: Iterable[Input]) -> str:
    """Hash of strings, files and directory trees (names and contents)."""
    total = hashlib.sha256()
    for item in inputs:
        if not isinstance(item, Path):
            total.update(b"s" + item.encode() + b"\0")
            continue
        if not item.exists():
            raise ui.Error(f"'{item}' is missing")
        files = [item] if item.is_file() else sorted(
            path for path in item.rglob("*")
            if path.is_file() and not {"target", "__pycache__", ".bsp"} & set(path.relative_to(item).parts))
        for path in files:
            total.update(f"f{path.relative_to(item.parent)}\0{path.stat().st_mode & 0o111}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


@contextmanager
def locked(name: str, wait: bool = True):
    """Holds a lock, in this process; without waiting for it BlockingIOError says that it is held."""
    (BUILD / "locks").mkdir(parents=True, exist_ok=True)
    with open(BUILD / "locks" / name, "w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not wait:
                    raise
                processes.pause(0.1)
        yield


def _key(inputs: Iterable[Input], make: Callable) -> str:
    return digest([*inputs, Path(make.__code__.co_filename), FLOW / "building" / "tools.py", debian.toolchain(), os.environ.get("JAVA_TOOL_OPTIONS", "")])


def _tidy(name: str) -> None:
    """Removes of a kind what SIGKILL left half built, and all but the results last used."""
    home = BUILD / name
    for partial in home.glob("partial-*"):
        with suppress(BlockingIOError), locked(f"{name}-{partial.name.removeprefix('partial-')}", wait=False):
            shutil.rmtree(partial, ignore_errors=True)
    with locked(name):  # one at a time; what others are building now is not counted
        results = sorted((d for d in home.iterdir() if not d.name.startswith("partial-")), key=lambda d: d.stat().st_mtime)
        for old in results[:-KEPT.get(name, KEPT_OF_OTHERS)]:
            shutil.rmtree(old, ignore_errors=True)


def build(name: str, inputs: Iterable[Input], make: Callable[[Path, Path], None], title: str, estimate: str = "") -> Path:
    """Returns the directory with the result of `make(directory, log)`, made now unless the inputs are as they were.

    `make` must be a function of the module whose flags it uses.
    """
    key = _key(inputs, make)
    home = BUILD / name
    result = home / key
    with locked(f"{name}-{key}"):
        if result.is_dir():
            os.utime(result)
            return result
        home.mkdir(parents=True, exist_ok=True)
        partial = home / f"partial-{key}"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        log = BUILD / "log" / f"{name}-{key}.log"
        log.unlink(missing_ok=True)
        try:
            with ui.phase(title, estimate):
                make(partial, log)
            partial.rename(result)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    _tidy(name)
    return result


def need_space(gib: float) -> None:
    """An Error if less is free for builds."""
    BUILD.mkdir(exist_ok=True)
    free = shutil.disk_usage(BUILD).free / 2**30
    if free < gib:
        raise ui.Error(f"this step needs {gib:g} GiB free under {BUILD}, there is {free:.1f} GiB")
