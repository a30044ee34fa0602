# SPDX-License-Identifier: BSD-3-Clause
"""Runs: their directories, their provenance, their end; with scripts in the place of simulators."""

import io
import json
import subprocess
import time
import unittest
from contextlib import redirect_stdout
from unittest import mock

from scratch import Scratch

from blockzero import config, ui
from blockzero.results import publish, report
from blockzero.running import linux, provenance, runs
from blockzero.testing import checks
from blockzero.running.machine import Machine
from blockzero.testing.tally import Tally

BEFORE = {"git": "0123456789abcdef", "git_dirty": False, "git_changes": ""}
RECORD = {"test": "pft", "mode": "stock"}
_BENCH = publish.PUBLISHERS["bench"]
ENDED = "run: ended with exit code 0\n"


def git(root, *arguments):
    subprocess.run(["git", "-C", root, "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments], check=True, capture_output=True)


class Runs(Scratch):
    def setUp(self):
        super().setUp()
        self.patch(provenance, "repository", lambda: BEFORE)
        self.patch(ui, "say", lambda text: None)
        self.patch(linux.machine, "booted", lambda *_: self.path)

    def machine(self, text, code=0):
        script = self.path / f"simulator-{len(list(self.path.iterdir()))}"
        script.write_text(f"#!/bin/sh\ncat > $0.typed\nprintf '{text}'\nexit {code}\n")
        script.chmod(0o755)
        return Machine(script, [], [], "key", False)

    def new(self, name="bench"):
        return runs.new(name, BEFORE, {"config": {}})

    def typed(self, text, code=0):
        run = self.new()
        return linux.typed(run, self.machine(text, code), ["one", "two"], 1, "x"), linux.records(run.console)

    def test_runs_that_begin_together_are_apart(self):
        self.patch(time, "strftime", lambda _: "20260101-000000")
        first, second = self.new(), self.new()
        self.assertNotEqual(first.console, second.console)
        for run, value in ((first, 1), (second, 2)):
            linux.typed(run, self.machine(json.dumps({"n": value}) + "\\n" + ENDED.strip() + "\\n"), ["x"], 1, "x")
            run.keep([{"n": value}])
        self.assertEqual([json.loads(run.console.read_text().splitlines()[0]) for run in (first, second)], [{"n": 1}, {"n": 2}])
        self.assertEqual([report.load(run.home / "result.jsonl")[1] for run in (first, second)], [[{"n": 1}], [{"n": 2}]])
        self.assertEqual(runs.latest(), {"bench": second.home})

    def test_provenance_is_there_before_anything_runs(self):
        run = self.new()
        self.assertEqual(json.loads((run.home / "provenance.json").read_text()), {"run": "bench", **BEFORE, "config": {}})

    def test_a_repository_that_changes_before_the_simulation_is_said(self):
        for changed in ({"git": "another"}, {"git_changes": "an edit"}):
            run = self.new()
            with mock.patch.object(provenance, "repository", return_value={**BEFORE, **changed}):
                linux.typed(run, self.machine(ENDED), ["x"], 1, "x")
            origin, _ = report.load(run.keep([RECORD]))
            self.assertEqual(origin["git"], BEFORE["git"])
            self.assertIn("changed while it was built", provenance.revision(origin))
        self.assertEqual(provenance.revision(BEFORE), "0123456789ab")

    def test_commands_are_typed_and_have_an_exit_code_and_records(self):
        record = json.dumps(RECORD)
        self.assertEqual(self.typed(f"blockzero# one && two; echo \"run: ended with exit code $?\"\\r\\n{record}\\r\\nrun: ended with exit code 3\n"), (3, [RECORD]))
        typed = next(self.path.glob("*.typed")).read_text().splitlines()
        self.assertEqual(typed, ['one && two; echo "run: ended with exit code $?"'])

    def test_what_dies_midway_fails(self):
        record = json.dumps(RECORD) + "\\n"
        for text, code, reason in ((record, 0, "did not run to its end"),
                                   (record + ENDED, 124, "did not end within")):
            with self.assertRaisesRegex(ui.Error, f"{reason}.*console: {self.path}/build/runs/.*-bench"):
                self.typed(text, code)

    def test_no_result_without_records(self):
        run = self.new()
        with self.assertRaisesRegex(ui.Error, "printed no results"):
            run.keep([])
        self.assertEqual([path.name for path in run.home.iterdir()], ["provenance.json"])

    def test_without_a_terminal_what_is_piped_is_typed_and_the_machine_goes_off(self):
        machine = mock.Mock(binary="simulator", arguments=[])
        given = []
        for module, name, value in ((linux, "prepare", lambda _: None), (linux, "system", lambda _: machine), (linux.machine, "booted", lambda *_: self.path),
                                    (linux.processes, "run", lambda command, data: given.append(data) or 0), (ui, "say", lambda _: None)):
            self.patch(module, name, value)
        for stdin, typed in ((io.StringIO("pft -h\n"), b"pft -h\n\npoweroff\n"), (io.StringIO(), b"\npoweroff\n"), (None, b"\npoweroff\n")):
            with mock.patch("sys.stdin", stdin):
                linux.interactive(config.Config())
            self.assertEqual(given.pop(), typed)


class Publish(Scratch):
    def setUp(self):
        super().setUp()
        self.patch(report, "PUBLISHED", self.path / "published")
        self.patch(publish, "ROOT", self.path)
        self.patch(publish.findings, "write", lambda: self.path)
        report.PUBLISHED.mkdir()
        self.page = mock.Mock(side_effect=lambda path: [path])
        self.patch(publish, "PUBLISHERS", {"bench": self.page, "clearing": self.page})

    def result(self, name, record=RECORD):
        with mock.patch.object(provenance, "repository", return_value=BEFORE):
            return runs.new(name, BEFORE, {}).keep([record])

    def publish(self, *paths):
        self.environment(RESULTS=" ".join(map(str, paths)))
        with redirect_stdout(io.StringIO()):
            publish.publish()

    def refused(self, pattern, *paths):
        with self.assertRaisesRegex(ui.Error, pattern):
            self.publish(*paths)
        self.page.assert_not_called()

    def test_what_is_named_is_published(self):
        named, chipyard = self.result("faults"), self.result("chipyard-My")
        self.result("faults")  # the newest of its kind, which nobody has named
        self.publish(named.parent, chipyard)
        self.assertEqual([call.args[0] for call in self.page.mock_calls], [named, chipyard])

    def test_nothing_named_publishes_nothing(self):
        self.refused("none yet; run 'make bench'")
        self.result("faults")
        self.result("test")
        self.refused(r"make publish RESULTS='build/runs/[-\d]+-faults'")

    def test_what_no_page_shows_is_refused(self):
        self.refused("no page shows", self.result("faults"), self.result("test", {"test": "dmatest"}))
        self.refused("two runs of faults", self.result("faults"), self.result("faults"))
        self.refused("there is no", self.path)
        (self.path / "file").write_text("x\n")
        self.refused("not a result file", self.path / "file")

    def test_a_result_without_what_readme_shows_is_refused(self):
        path = self.result("table", {"test": "pft", "folio_kib": 4, "lines": 1, "rep": 1, "mode": "stock", "cycles": 1, "folios": 1})
        with self.assertRaisesRegex(ui.Error, "has no 2 MiB, 1 line touched, 64 KiB, 1 line touched"):
            _BENCH(path)


class Provenance(Scratch):
    def setUp(self):
        super().setUp()
        self.root = self.path / "repository"
        self.commit(self.root)
        self.patch(provenance, "ROOT", self.root)

    def commit(self, root):
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q")
        (root / "file").write_text("one\n")
        git(root, "add", "file")
        git(root, "commit", "-q", "-m", "x")

    def test_every_change_is_seen(self):
        clean = provenance.repository()
        self.assertFalse(clean["git_dirty"])
        seen = [clean]
        for edit in (lambda: (self.root / "file").write_text("two\n"), lambda: (self.root / "file").write_text("three\n"),
                     lambda: (self.root / "new").write_text("one\n"), lambda: (self.root / "new").write_text("three\n"),
                     lambda: git(self.root, "commit", "-q", "-a", "-m", "y")):
            edit()
            self.assertNotIn(provenance.repository(), seen)
            seen.append(provenance.repository())

    def test_changes_in_a_chipyard_are_seen(self):
        part = self.root / provenance.CHIPYARD_PARTS[0]
        for name in provenance.CHIPYARD_PARTS:
            self.commit(self.root / name)
        self.commit(self.root / "sims" / "firesim")
        (self.root / "generators" / "blockzero").symlink_to(self.path)

        def changed():
            origin = provenance.firesim(self.root, "x")
            return origin["changed"] + ["firesim"] * origin["firesim_changed"]
        with mock.patch.object(provenance.tools, "cross_compiler", return_value="gcc"):
            self.assertEqual(changed(), [])
            (part / "file").write_text("two\n")
            self.assertEqual(changed(), [provenance.CHIPYARD_PARTS[0]])
            (self.root / "file").write_text("two\n")
            (self.root / "sims" / "firesim" / "file").write_text("two\n")
            self.assertEqual(changed(), [".", provenance.CHIPYARD_PARTS[0], "firesim"])


class Hardware(Scratch):
    """The verdict on `sbt test`."""

    def verdict(self, text, code):
        def sbt(tasks, log, **_):
            if tasks == ["test"]:
                log.write_text(text)
                if code:
                    raise ui.Error("java failed (1)")
        tally = Tally(1)
        with mock.patch.object(checks.tools, "sbt", sbt), mock.patch.object(checks.tools, "wheel_environment", lambda: {}), \
                mock.patch.object(ui, "say"), mock.patch.object(provenance, "repository", return_value=BEFORE), redirect_stdout(io.StringIO()):
            checks.chisel(tally, runs.new("test", BEFORE, {}), config.Config())
        return tally.passed, tally.failed

    def test_all_well(self):
        self.assertEqual(self.verdict("[info] Tests: succeeded 7, failed 0, canceled 0\n", 0), (7, 0))

    def test_failures_count(self):
        self.assertEqual(self.verdict("[info] Tests: succeeded 7, failed 2, canceled 0\n", 1), (7, 2))

    def test_an_aborted_suite_is_a_failure(self):
        self.assertEqual(self.verdict("[error] Suite *** ABORTED ***\n[info] Tests: succeeded 7, failed 0, canceled 0\n", 1), (7, 1))

    def test_no_test_at_all_is_a_failure(self):
        for text in ("", "[info] Tests: succeeded 0, failed 0, canceled 0\n"):
            self.assertEqual(self.verdict(text, 0), (0, 1))


class Tests(unittest.TestCase):
    def test_those_that_test_names(self):
        self.assertEqual(checks.chosen(""), checks.TESTS)
        self.assertEqual(set(checks.chosen("contract *-memory")), {"contract", "relaxed-memory", "checked-memory"})
        with self.assertRaisesRegex(ui.Error, "TEST=contrat: there is no such test; there are verify "):
            checks.chosen("contrat")


if __name__ == "__main__":
    unittest.main()
