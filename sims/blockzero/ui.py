# SPDX-License-Identifier: BSD-3-Clause
"""What the user sees: phases with times, and errors of one line that say what to do."""

import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

PROGRESS = 1 if sys.stderr.isatty() else 20  # seconds between two looks at a simulation

_start = time.monotonic()
_lock = threading.Lock()


class Error(Exception):
    """A failure the user can act on; its text is the one line to print."""


def say(text: str) -> None:
    with _lock:
        print(f"[{int(time.monotonic() - _start):4d} s] {text}", file=sys.stderr, flush=True)


@contextmanager
def phase(text: str, estimate: str = ""):
    say(text + (f" (about {estimate})" if estimate else ""))
    begin = time.monotonic()
    yield
    say(f"{text}: done in {time.monotonic() - begin:.0f} s")


def run(command, log: Path, hint: str = "", **options) -> None:
    """Runs a command with its output in a log file; an Error names the log and shows its last telling line."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as out:
        out.write("+ " + " ".join(map(str, command)) + "\n")
        out.flush()
        try:
            if "input" not in options:
                options["stdin"] = subprocess.DEVNULL
            code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, **options).returncode
        except FileNotFoundError as error:
            raise Error(f"'{command[0]}' is not installed ({error.strerror}); run 'make setup'") from None
    if code != 0:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower()] or lines
        raise Error(f"{Path(str(command[0])).name} failed ({code}): {telling[-1][:200]}; log: {log}" + (f"; {hint}" if hint else ""))
