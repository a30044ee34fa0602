# SPDX-License-Identifier: BSD-3-Clause
"""Programs that the flow starts. None of them outlives it.

All belong to one process group. Its leader is a shell that waits for the end of a pipe which only the flow holds open: when the
flow is gone, for whatever reason, the shell kills the group, and what these programs have started with it.
"""

import atexit
import os
import re
import signal
import subprocess
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Optional

WATCHER = "trap '' HUP INT TERM; echo ready; read end_of_the_flow; kill -KILL 0"
GRACE = 5  # seconds from SIGTERM to SIGKILL
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_lock = threading.Lock()
_watcher: Optional[subprocess.Popen] = None
_stopping = threading.Event()


class Stopped(BaseException):
    """The flow is being stopped, by the signal of this number. As it is no Exception, nobody catches it on its way out."""


# Of the user's environment a build gets these alone, so that no CFLAGS, MAKEFLAGS or CHISEL changes what comes out. The Java options
# may have a proxy in them, and are an input to every key of the cache.
KEPT = re.compile(r"PATH|HOME|USER|LOGNAME|TERM|TMPDIR|JAVA_HOME|JAVA_TOOL_OPTIONS|DEBIAN_FRONTEND|(https?|ftp|all|no)_proxy"
                  r"|(PIP|COURSIER|MAVEN|SSL_CERT)_\w+", re.I)


def environment(**more: str) -> dict:
    """For a program that builds something."""
    return {**{name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}, "LC_ALL": "C.UTF-8", **more}


def _group() -> int:
    global _watcher  # pylint: disable=global-statement
    with _lock:
        if _watcher is None:
            watcher = subprocess.Popen(["/bin/sh", "-c", WATCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       process_group=0)
            watcher.stdout.readline()  # from now on no signal but SIGKILL ends it
            _watcher = watcher
        return _watcher.pid


@contextmanager
def running(command: list, **options):
    """A program, as subprocess.Popen starts it, with nothing to read and the environment of a build unless told otherwise."""
    if _stopping.is_set():
        raise Stopped
    with subprocess.Popen(command, **{"stdin": subprocess.DEVNULL, "env": environment(), "process_group": _group(), **options}) as process:
        try:
            yield process
        except Exception:
            process.kill()
            raise


def finish(process: subprocess.Popen, data: Optional[bytes] = None) -> int:
    """Waits for a program, gives it `data` to read; its exit code. What ended because the flow is being stopped has none."""
    process.communicate(data)
    if _stopping.is_set():
        raise Stopped
    return process.returncode


def run(command: list, data: Optional[bytes] = None, **options) -> int:
    """Runs a program, which may read `data`; its exit code."""
    if data is not None:
        options["stdin"] = subprocess.PIPE
    with running(command, **options) as process:
        return finish(process, data)


def foreground(command: list, **options) -> int:
    """Runs a program that uses the terminal, or must not be killed in the middle: it gets SIGTERM when the flow ends. Its exit code."""
    with running(["setpriv", "--pdeathsig", "TERM", *command], **{"stdin": None, "process_group": None, **options}) as process:
        try:
            return process.wait()
        except Stopped:
            process.terminate()
            raise


def pause(seconds: float) -> None:
    """For whoever waits for something in a loop."""
    time.sleep(seconds)
    if _stopping.is_set():
        raise Stopped


@contextmanager
def pool(size: int):
    """A function that submits a task, as Executor.submit does, to so many threads. It is over when all are.

    When the block fails, or the flow is stopped, tasks that have not begun are never begun.
    """
    executor, tasks = ThreadPoolExecutor(size), []

    def submit(*task) -> Future:
        tasks.append(executor.submit(*task))
        return tasks[-1]
    try:
        yield submit
        wait(tasks)  # not by shutdown(): Python 3.11 takes a thread for ended if the exception of a signal interrupts its join()
    finally:
        for task in tasks:
            task.cancel()
        executor.shutdown()


def _kill(*_) -> None:
    if _watcher is not None:
        os.killpg(_watcher.pid, signal.SIGKILL)


def _stop(number: int, _frame) -> None:
    if _stopping.is_set():  # the user is in a hurry
        _kill()
        return
    _stopping.set()
    if _watcher is not None:
        os.killpg(_watcher.pid, signal.SIGTERM)
    signal.setitimer(signal.ITIMER_REAL, GRACE)
    raise Stopped(number)


def catch_signals() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP end all programs that run, and raise Stopped, with the signal's number, in the main thread."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            signal.signal(number, _stop)
    signal.signal(signal.SIGALRM, _kill)
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)  # all have ended, and Python is about to forget who handles it
