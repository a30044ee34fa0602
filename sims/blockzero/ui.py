# SPDX-License-Identifier: BSD-3-Clause
"""What the user sees: phases with times, and errors of one line that say what to do."""

import re
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from . import processes

PROGRESS = 1 if sys.stderr.isatty() else 20  # seconds between two looks at a simulation
# What apt, pip, Maven and sbt say when they reach nobody.
NO_NETWORK = re.compile(r"Temporary failure|Could not resolve|Could not connect|Name or service not known|Unknown ?host|Network is unreachable"
                        r"|Connection refused|ConnectException|Failed to establish a new connection|Connection timed out|download error"
                        r"|No plugin found for prefix|could not retrieve sbt", re.I)

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


def run(command, log: Path, hint: str = "", by=processes.run, **options) -> None:
    """Runs a command with its output in a log file; an Error names the log and shows its last telling line.

    `by` is the function of processes that runs it; the rest are its options.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as out:
        out.write("+ " + " ".join(map(str, command)) + "\n")
        begin = out.tell()
        out.flush()
        try:
            code = by(command, stdout=out, stderr=subprocess.STDOUT, **options)
        except FileNotFoundError as error:
            raise Error(f"'{command[0]}' is not installed ({error.strerror}); run 'make setup'") from None
    if code != 0:
        said = log.read_bytes()[begin:].decode(errors="replace")
        lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it says nothing"]
        telling = [line for line in lines if "error" in line.lower()] or lines
        hint = hint or ("is the network there?" if NO_NETWORK.search(said) else "")
        raise Error(f"{Path(str(command[0])).name} failed ({code}): {telling[-1][:200]}; log: {log}" + (f"; {hint}" if hint else ""))


def output(command: list, **options) -> str:
    """What a short command prints; an Error if it fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=processes.environment(), check=False, **options)
    except OSError as error:
        raise Error(f"'{command[0]}' does not run ({error.strerror}); try 'make setup'") from None
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or ["it says nothing"]
        raise Error(f"'{' '.join(map(str, command))}' failed ({result.returncode}): {lines[-1]}")
    return result.stdout
