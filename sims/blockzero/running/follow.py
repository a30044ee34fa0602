# SPDX-License-Identifier: BSD-3-Clause
"""Consoles of runs, shown on the terminal while they grow."""

import sys
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path

LOOK = 0.2  # seconds between two looks


def _show(text: str, label: str) -> None:
    sys.stdout.write("".join(f"{label} | {line}" for line in text.splitlines(keepends=True)) if label else text)
    sys.stdout.flush()


def _more(path: Path, begin: int, whole_lines: bool) -> bytes:
    """What a file has from `begin` on; not the beginning of a line that is not complete, where lines are to be whole."""
    if not path.exists():
        return b""
    with open(path, "rb") as file:
        file.seek(begin)
        found = file.read()
    return found[:found.rfind(b"\n") + 1] if whole_lines else found


@contextmanager
def consoles(paths: Mapping[str, Path]):
    """Shows files {label: path} until the block is left, each line with its label if there are several."""
    shown = {label: 0 for label in paths}
    over = threading.Event()

    def look() -> None:
        for label, path in paths.items():
            found = _more(path, shown[label], len(paths) > 1)
            shown[label] += len(found)
            if found:
                _show(found.decode(errors="replace"), label if len(paths) > 1 else "")

    def follow() -> None:
        while not over.wait(LOOK):
            look()
    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        look()
