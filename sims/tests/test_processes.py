# SPDX-License-Identifier: BSD-3-Clause
"""Whatever ends the flow ends what it runs."""

import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from scratch import ROOT, Scratch

from blockzero import processes, ui

# A flow with two tasks for one thread, each a tree of processes; and a child that reads the terminal, if asked for.
FLOW = """
import signal, sys, time
sys.path.insert(0, {sims!r})
from blockzero import processes
for number in processes.SIGNALS:
    signal.signal(number, signal.SIG_DFL)  # whoever runs the tests may ignore some
processes.GRACE = 0.3
processes.catch_signals()
script = {trap!r} + "echo started >> {log}; sleep {marker} & sleep {marker}; sleep {marker}"

def task():
    try:
        processes.run(["sh", "-c", script])
    finally:
        time.sleep(0.1)
        open("{log}.cleaned", "w").close()

try:
    with processes.pool(1) as submit:
        for n in range(2):
            submit(task)
        if {foreground}:
            processes.foreground(["sh", "-c", "echo started >> {log}; exec sleep {marker}"])
except processes.Stopped as stopped:
    sys.exit(128 + stopped.args[0])
"""


class Stopping(Scratch):
    def setUp(self):
        super().setUp()
        self.marker = f"98765.{os.getpid()}{time.monotonic_ns()}"  # of the sleeps that are this test's

    def alive(self):
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = file.read_bytes()
            except OSError:
                continue
            if b"sleep" in command and self.marker.encode() in command:
                found.append(command)
        return found

    def stop(self, number, trap="", foreground=False):
        """Sends a flow the signal when it is at work; its exit code."""
        log = self.path / "log"
        log.write_text("")
        (self.path / "log.cleaned").unlink(missing_ok=True)
        script = FLOW.format(sims=str(ROOT / "sims"), trap=trap, log=log, marker=self.marker, foreground=foreground)
        with subprocess.Popen([sys.executable, "-c", script]) as flow:
            try:
                self.wait_for(lambda: len(self.alive()) >= 3 and len(log.read_text().split()) == 1 + foreground)
                flow.send_signal(number)
                code = flow.wait(20)
            finally:
                flow.kill()
        self.wait_for(lambda: not self.alive())
        self.assertEqual(log.read_text().split().count("started"), 1 + foreground, "a task that waited was started")
        self.assertEqual((self.path / "log.cleaned").exists(), number != signal.SIGKILL, "what is half built is removed")
        return code

    def wait_for(self, condition):
        until = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), until, f"alive: {self.alive()}")
            time.sleep(0.02)

    def test_ctrl_c(self):
        self.assertEqual(self.stop(signal.SIGINT), 130)

    def test_sigterm(self):
        self.assertEqual(self.stop(signal.SIGTERM), 143)

    def test_sigkill(self):
        self.assertEqual(self.stop(signal.SIGKILL), -9)

    def test_who_ignores_sigterm_is_killed(self):
        self.assertEqual(self.stop(signal.SIGTERM, trap="trap '' TERM; "), 143)

    def test_who_heeds_sigterm_has_time(self):
        self.assertEqual(self.stop(signal.SIGTERM, trap=f"trap 'echo ended >> {self.path}/log; exit' TERM; "), 143)
        self.assertIn("ended", (self.path / "log").read_text())

    def test_the_foreground_too(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            with self.subTest(number):
                self.assertEqual(self.stop(number, foreground=True), code)

    def test_a_task_that_fails_keeps_the_others_from_beginning(self):
        begun = []
        def fail():
            raise ui.Error("no")
        with self.assertRaises(ui.Error), processes.pool(1) as submit:
            tasks = [submit(fail), submit(time.sleep, 0.3), submit(begun.append, 1)]
            tasks[0].result()
        self.assertEqual(begun, [])


class Starting(Scratch):
    def test_nobody_else_starts_programs(self):
        for path in (ROOT / "sims" / "blockzero").rglob("*.py"):
            if path.name not in ("processes.py", "ui.py"):
                self.assertIsNone(re.search(r"subprocess\.(run|Popen|call|check_\w+)\(|os\.(system|popen|exec\w+|spawn\w+|fork)\(", path.read_text()), path)

    def test_a_build_gets_a_clean_environment(self):
        self.environment(CHISEL="6.7.0", CFLAGS="-O0", MAKEFLAGS="-n", KCFLAGS="x", PYTHONPATH="x", https_proxy="proxy", PIP_INDEX_URL="mine")
        ui.run(["env"], self.path / "log")
        names = {line.split("=")[0] for line in (self.path / "log").read_text().splitlines()}
        self.assertLessEqual({"PATH", "https_proxy", "PIP_INDEX_URL"}, names)
        self.assertFalse({"CHISEL", "CFLAGS", "MAKEFLAGS", "KCFLAGS", "PYTHONPATH"} & names)


class Errors(Scratch):
    def failed(self, text):
        with self.assertRaises(ui.Error) as caught:
            ui.run(["sh", "-c", f"echo '{text}'; exit 3"], self.path / "log")
        return str(caught.exception)

    def test_no_network_is_said(self):
        for text in ("E: Failed to fetch http://x/  Temporary failure resolving 'x'",
                     "error: Retrying ... Failed to establish a new connection: [Errno -2] Name or service not known",
                     "[ERROR] Could not transfer artifact: Unknown host x",
                     "[ERROR] No plugin found for prefix \"dependency\" in the current project", "[error] [launcher] could not retrieve sbt 1.11.7", "[error] java.net.UnknownHostException: x",
                     "[error] Error downloading a:b:1  download error: Caught java.net.ConnectException"):
            self.assertRegex(self.failed(text), r"sh failed \(3\).*is the network there\?$")

    def test_only_what_this_command_said_counts(self):
        self.failed("error: Connection refused")
        self.assertNotIn("network", self.failed("error: syntax"))

    def test_a_query_that_fails_is_an_error(self):
        with self.assertRaisesRegex(ui.Error, "failed .2.*no such thing"):
            ui.output(["sh", "-c", "echo no such thing >&2; exit 2"])
        with self.assertRaisesRegex(ui.Error, "does not run"):
            ui.output(["/nonexistent"])


if __name__ == "__main__":
    unittest.main()
