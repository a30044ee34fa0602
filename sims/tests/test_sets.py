# SPDX-License-Identifier: BSD-3-Clause
"""Sets of runs: their files, their plans, what one job of them leaves behind."""

import json
import os
from pathlib import Path
from unittest import mock

from blockzero import ui
from blockzero.running import jobs, linux, own, runs, sets
from scratch import Scratch

ONE = {"boot": "quiet", "choices": {"RAM": 32}, "over": {}, "runs": [
    {"name": "faults", "prepare": "pft -w", "asks": "ready", "modes": ["stock", "engine"], "rounds": 2, "run": "{mode} {round}", "cycles": 5},
    {"name": "scrub", "run": "scrub", "cycles": 7}]}


class Sets(Scratch):
    def load(self, text):
        path = self.path / "mine.toml"
        path.write_text(text)
        return sets.load(path)

    def test_those_here_are_right(self):
        for path in sets.SETS.glob("*.toml"):
            with self.subTest(path.stem):
                plan = sets.plan(sets.load(path), {}, {})
                self.assertTrue(plan["runs"])
                self.assertEqual({run["state"] for run in plan["runs"].values()}, set(plan["states"]))

    def test_mistakes_are_said_in_one_line(self):
        run = '[[runs]]\nname = "a"\nrun = "x"\ncycles = 1\n'
        for text, reason in (("runs = 3 4", "mine.toml: "), ("x = 1\n" + run, "'x' is not known"), (run + "rnds = 2", "run 'a': 'rnds' is not known"),
                             ('[[runs]]\nname = "a"', "'cycles' is missing; 'run' is missing"), (run + run, "each of another name"), ("", "there must be runs"),
                             (run + 'prepare = "y"', "'asks' is missing"), ("choices = { PROT = 1 }\n" + run, "'PROT' is not known"),
                             ('include = ["none"]\n', "must be a file, or one of")):
            with self.subTest(text), self.assertRaisesRegex(ui.Error, reason):
                self.load(text)
        for text in ("RAM", "RAM=", "PROT=1"):
            with self.assertRaisesRegex(ui.Error, "must be CHOICE=VALUE"):
                sets.varied(text)
        with self.assertRaisesRegex(ui.Error, "over what"):
            sets.varied("", needed=True)

    def test_a_set_may_include_others(self):
        self.assertEqual([run["name"] for run in sets.load(sets.path_of("faults"))["runs"]][:4], [run["name"] for run in sets.load(sets.path_of("table"))["runs"]])

    def test_each_run_of_a_plan_has_its_state(self):
        plan = sets.plan(ONE, {}, {"PORT": "relaxed", "CONFIG": ""})
        self.assertEqual(plan["systems"], {"soc": {"choices": {"RAM": 32, "PORT": "relaxed"}, "varied": {}, "boot": "quiet"}})
        self.assertEqual(plan["states"], {"soc/faults": {"system": "soc", "prepare": "pft -w", "asks": "ready"},
                                          "soc/prompt": {"system": "soc", "prepare": None, "asks": None}})
        self.assertEqual({name: run["typed"] for name, run in plan["runs"].items()},
                         {"soc/faults-stock-1": "stock 0", "soc/faults-stock-2": "stock 1", "soc/faults-engine-1": "engine 0", "soc/faults-engine-2": "engine 1",
                          "soc/scrub": "scrub"})

    def test_runs_that_are_prepared_alike_share_a_state(self):
        plan = sets.plan({**ONE, "runs": [ONE["runs"][0], {**ONE["runs"][0], "name": "more", "run": "{mode} {round} -s 8"}]}, {}, {})
        self.assertEqual({run["state"] for run in plan["runs"].values()}, {"soc/faults"})
        self.assertEqual(list(plan["states"]), ["soc/faults"])

    def test_what_is_varied_is_combined(self):
        one = {**ONE, "runs": [ONE["runs"][1], {**ONE["runs"][1], "name": "slow", "when": {"READ_LATENCY": [60]}}]}
        plan = sets.plan(one, sets.varied("READ_LATENCY=10,60 PORT=ordered,relaxed"), {})
        self.assertEqual(len(plan["systems"]), 4)
        self.assertEqual(plan["systems"]["READ_LATENCY=60,PORT=relaxed"]["choices"], {"RAM": 32, "READ_LATENCY": 60, "PORT": "relaxed"})
        self.assertEqual(sorted(name for name in plan["runs"] if name.endswith("slow")), ["READ_LATENCY=60,PORT=ordered/slow", "READ_LATENCY=60,PORT=relaxed/slow"])
        self.assertEqual(plan["runs"]["READ_LATENCY=10,PORT=ordered/scrub"]["choices"], {"READ_LATENCY": 10, "PORT": "ordered"})

    def test_a_value_that_cannot_be_is_refused_before_anything_runs(self):
        with self.assertRaisesRegex(ui.Error, "READ_LATENCY=1: must be"):
            sets.plan(ONE, {"READ_LATENCY": [10, 1]}, {})

    def test_a_user_s_command_in_each_mode(self):
        self.environment(RUN="./hello 'a b'", MODES="stock,engine", FILES=str(self.path), MODULE="")
        plan = own.plan()
        self.assertEqual([run["typed"] for run in plan["runs"].values()], [f"mode {mode} sh -c './hello '\"'\"'a b'\"'\"''" for mode in ("stock", "engine")])
        self.assertEqual(plan["systems"]["soc"]["own"], {"files": str(self.path.resolve()), "module": None})
        self.environment(RUN="x", MODES="", FILES="/no/such")
        with self.assertRaisesRegex(ui.Error, "FILES=/no/such"):
            own.plan()
        self.environment(RUN="", FILES="")
        with self.assertRaisesRegex(ui.Error, "which command"):
            own.plan()

    def test_ratios_are_to_the_first_mode(self):
        records = [{"test": "run", "mode": mode, "wall_ns": ns, "mhz": 100, "faults": 5, "zeroed_hit": 0} for mode, ns in (("stock", 3000), ("engine", 1000))]
        self.assertIn("3.00x as fast", own.ratios(records))
        self.assertEqual(own.ratios(records[:1]), "")


class Jobs(Scratch):
    """A run of a plan, with a stand-in for the simulator."""

    def setUp(self):
        super().setUp()
        self.patch(ui, "say", lambda text: None)
        old = os.getcwd()
        os.chdir(self.path)
        self.addCleanup(os.chdir, old)
        Path("plan.json").write_text(json.dumps({"name": "x", **sets.plan(ONE, {}, {})}))
        for folder in ("systems", "states/soc"):
            Path(folder).mkdir(parents=True)
        for state in ("faults", "prompt"):
            Path(f"states/soc/{state}.json").write_text('{"state": "saved"}')

    def run_it(self, says, code=0, name="soc/faults-engine-2"):
        script = self.path / "simulator"
        script.write_text("#!/bin/sh\nfor option; do case $option in --stats=*) echo '{\"cycles\": 5, \"khz\": 200}' > ${option#*=};; esac; done\n"
                          f"cat > typed\nprintf '{says}'\nexit {code}\n")
        script.chmod(0o755)
        Path("systems/soc.json").write_text(json.dumps({"binary": str(script), "arguments": [], "timing": [], "key": "k", "smp": False}))
        jobs.run(name)
        return [json.loads(line) for line in Path(f"runs/{name}/records.jsonl").read_text().splitlines()]

    def test_records_say_of_which_run_they_are(self):
        self.assertEqual(self.run_it('{"n": 1}\\n' + linux.END + "0\\n"), [{"n": 1, "cell": "soc/faults-engine-2", "round": 1}])
        self.assertEqual(Path("typed").read_text(), "engine 1\n")

    def test_at_the_prompt_the_command_is_typed(self):
        self.run_it('{"n": 1}\\n' + linux.END + "0\\n", name="soc/scrub")
        self.assertEqual(Path("typed").read_text(), linux.line(["scrub"]) + "\n")

    def test_what_does_not_end_well_leaves_no_records(self):
        for says, code in ((linux.END + "1\\n", 0), ("nothing", 0), (linux.END + "0\\n", 124), ('{"damaged\\n' + linux.END + "0\\n", 0)):
            with self.subTest(says), self.assertRaises(ui.Error):
                self.run_it(says, code)
            self.assertFalse(list(Path("runs").rglob("records.jsonl")))

    def test_a_run_that_did_not_end_is_gone_on_with(self):
        before, measured = {"git": "x", "git_dirty": False, "git_changes": ""}, {"plan": "1"}
        with mock.patch("blockzero.running.provenance.repository", return_value=before):
            first = runs.new("table", before, measured)
            self.assertEqual(runs.unfinished("table", before, measured).home, first.home)
            for other in (("table", before, {"plan": "2"}), ("table", {**before, "git": "y"}, measured), ("faults", before, measured)):
                self.assertIsNone(runs.unfinished(*other))
            first.keep([{"n": 1}])
            self.assertIsNone(runs.unfinished("table", before, measured))
