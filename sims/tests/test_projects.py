# SPDX-License-Identifier: BSD-3-Clause
"""What joins our sources with Chipyard, FireSim and Buildroot, without these."""

import json
import os
import re
import subprocess
from pathlib import Path
from unittest import mock

from scratch import ROOT, Scratch

from blockzero import ui
from blockzero.joining import buildroot, chipyard, faults, firesim, litex
from blockzero.results import html, l2, report


class Chipyard(Scratch):
    """Links into a user's Chipyard."""

    def setUp(self):
        super().setUp()
        self.root = (self.path / "chipyard").resolve()
        (self.root / "generators" / "chipyard").mkdir(parents=True)
        (self.root / "build.sbt").touch()
        soc = self.root / "generators" / "testchipip" / "src" / "main" / "scala" / "soc"
        soc.mkdir(parents=True)
        (soc / "SubsystemInjector.scala").touch()
        self.environment(CHIPYARD=str(self.root))

    def files(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))

    def rejected(self, pattern):
        before = self.files()
        with self.assertRaisesRegex(ui.Error, pattern):
            chipyard.link()
        self.assertEqual(self.files(), before)

    def test_links_lead_to_our_sources_and_come_out_again(self):
        before = self.files()
        for _ in range(2):
            with mock.patch("builtins.print"):
                chipyard.link()
        generator = self.root / "generators" / "blockzero"
        self.assertTrue((generator / "engine" / "blockzero" / "Engine.scala").is_file())
        self.assertTrue((generator / "tilelink" / "BlockZero.scala").is_file())
        self.assertTrue((generator / "configs" / "Configs.scala").is_file())
        self.assertTrue((self.root / "generators" / "chipyard" / "blockzero.sbt").is_file())
        with mock.patch.object(ui, "say"):
            chipyard.unlink()
        self.assertEqual(self.files(), before)

    def test_what_is_no_chipyard_is_said(self):
        self.environment(CHIPYARD="")
        self.rejected("CHIPYARD=")
        self.environment(CHIPYARD=str(self.path))
        self.rejected("not a Chipyard")

    def test_an_old_one_is_said(self):
        (self.root / "generators/testchipip/src/main/scala/soc/SubsystemInjector.scala").unlink()
        self.rejected("too old")

    def test_no_submodules_are_said(self):
        for path in sorted((self.root / "generators" / "testchipip").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()  # pylint: disable=expression-not-assigned
        self.rejected("no submodules")

    def test_a_link_elsewhere_and_a_file_stay(self):
        generator = self.root / "generators" / "blockzero"
        generator.mkdir()
        (generator / "engine").symlink_to(self.path)
        self.rejected("linked elsewhere")
        (generator / "engine").unlink()
        (generator / "engine").write_text("somebody's")
        self.rejected("not ours")


class ChipyardSimulator(Scratch):
    """A script in the place of a simulator."""

    def setUp(self):
        super().setUp()
        self.root = self.path / "chipyard"
        for directory in ("generators/chipyard", "sims/verilator", ".classpath_cache"):
            (self.root / directory).mkdir(parents=True)
        (self.root / ".classpath_cache" / "chipyard.jar").touch()
        self.patch(chipyard.baremetal, "programs", lambda: self.path)

    def simulator(self, *lines, code=0, name="simulator-chipyard.harness-a.Without_b.MyConfig"):
        path = self.root / "sims" / "verilator" / name
        path.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines) + f"exit {code}\n")
        path.chmod(0o755)
        return str(path)


class ChipyardTest(ChipyardSimulator):
    """`make test-chipyard`."""

    def run_test(self, simulator, crossings=("ok 1 - crossing", "1..1"), tests=""):
        java = self.path / "bin" / "java"
        java.parent.mkdir(exist_ok=True)
        java.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in crossings))
        java.chmod(0o755)
        with mock.patch.dict(os.environ, SIM=simulator, SIM_FLAGS="", TESTS=tests, PATH=f"{java.parent}:{os.environ['PATH']}"), \
                mock.patch("builtins.print"), mock.patch.object(ui, "say"):
            chipyard.test()

    def results(self):
        return list((self.path / "build" / "runs").glob("*-chipyard-MyConfig/result.jsonl"))

    def test_all_well_keeps_results(self):
        self.run_test(self.simulator("ok 1 - a", '{"test": "throughput"}', "1..1"))
        provenance, records = report.load(self.results()[0])
        self.assertEqual(provenance["config"], "a.Without_b.MyConfig")
        self.assertEqual(records, [{"test": "throughput"}] * len(chipyard.PROGRAMS))

    def test_a_failure_is_a_failure(self):
        for simulator in (self.simulator("not ok 1 - a", '{"test": 1}', "1..1"), self.simulator("ok 1 - a", '{"test": 1}', "1..1", code=1)):
            with self.assertRaisesRegex(ui.Error, "checks failed"):
                self.run_test(simulator)
        self.assertEqual(self.results(), [])

    def test_crossings_are_elaborated(self):
        simulator = self.simulator("ok 1 - a", "1..1")
        with self.assertRaisesRegex(ui.Error, "checks failed"):
            self.run_test(simulator, crossings=("not ok 1 - crossing", "1..1"))
        (self.root / ".classpath_cache" / "chipyard.jar").unlink()
        with self.assertRaisesRegex(ui.Error, "chipyard.jar is missing"):
            self.run_test(simulator)
        self.run_test(simulator, tests="contract")

    def test_what_is_no_simulator_is_said(self):
        for simulator, pattern in (("", "SIM="), (str(self.path), "no program"), ("/bin/sh", "not in a Chipyard"),
                                   (self.simulator(name="simulator"), "not named")):
            with self.assertRaisesRegex(ui.Error, pattern):
                self.run_test(simulator)


class ChipyardFaults(ChipyardSimulator):
    """`make chipyard-faults`, likewise."""

    RECORD = '{{"test": "pft", "mode": "{}", "folio_kib": 4, "lines": 1, "rep": 1, "folios": 10, "cycles": {}, "mhz": 100}}'

    def setUp(self):
        super().setUp()
        self.patch(faults.linux, "elf", lambda config, command, ram: self.path / command.split()[-1])

    def measure(self, simulator, modes="stock,engine"):
        with mock.patch.dict(os.environ, SIM=simulator, SIM_FLAGS="", MODES=modes), mock.patch("builtins.print") as said, mock.patch.object(ui, "say"):
            faults.measure()
        return "\n".join(str(call.args[0]) for call in said.call_args_list if call.args)

    def linux(self, end="run: ended with exit code 0"):
        """Prints what pft does in the mode that the last argument, the ELF file, is named after."""
        path = Path(self.simulator())
        path.write_text(f'#!/bin/sh\nfor elf; do :; done\n[ "${{elf##*/}}" = stock ] && cycles=80000 || cycles=20000\n'
                        f"echo '{self.RECORD.format('MODE', 0)}' | sed \"s/MODE/${{elf##*/}}/; s/: 0,/: $cycles,/\"\necho '{end}'\n")
        return str(path)

    def test_each_mode_is_a_run_and_one_table(self):
        self.assertIn("4.00x", self.measure(self.linux()))
        (result,) = (self.path / "build" / "runs").glob("*-faults-MyConfig/result.jsonl")
        origin, records = report.load(result)
        self.assertEqual(([record["mode"] for record in records], origin["config"], html.kind(result)), (["stock", "engine"], "a.Without_b.MyConfig", "l2"))
        self.assertIn("| 4 KiB, 1 line touched | MyConfig | 12.5 | 50.0  4.00x |", l2.table([result]))
        self.assertIn("| 4 KiB, 1 line touched | stand-alone, no L2 |", l2.table([result]))

    def test_a_run_that_does_not_end_well_is_an_error(self):
        for end, pattern in (("run: ended with exit code 2", "exit code 2"), ("Kernel panic", "did not run to its end")):
            with self.assertRaisesRegex(ui.Error, pattern):
                self.measure(self.linux(end))

    def test_an_unknown_mode_is_said(self):
        with self.assertRaisesRegex(ui.Error, "MODES=fast"):
            self.measure(self.linux(), "fast")


class FireSim(Scratch):
    def test_every_target_is_a_configuration_of_ours(self):
        sources = (ROOT / "generators" / "chipyard" / "Configs.scala").read_text()
        ours = set(re.findall(r"^class (\w+)", sources, re.M))
        recipes = (ROOT / "sims" / "firesim" / "config_build_recipes.yaml").read_text()
        targets = re.findall(r"TARGET_CONFIG: WithDefaultFireSimBridges_WithFireSimConfigTweaks_(.*)", recipes)
        self.assertTrue(targets)
        for target in targets:
            for name in target.split("_"):
                self.assertIn(name.removeprefix("blockzero."), ours)

    def test_every_hardware_is_in_the_recipes(self):
        home = ROOT / "sims" / "firesim"
        recipes = re.findall(r"^(\w+):", (home / "config_build_recipes.yaml").read_text(), re.M)
        used = re.findall(r"^(blockzero\w+):|default_hw_config: (\w+)", "".join(p.read_text() for p in home.glob("config_[hr]*.yaml")), re.M)
        self.assertTrue(used)
        for name in filter(None, (name for pair in used for name in pair)):
            self.assertIn(name, recipes)

    def sweep(self, fails="none"):
        """What sweep calls of a manager that fails at one step; its exit code."""
        manager = self.path / "firesim"
        manager.write_text(f'#!/bin/sh\necho "$1 $(sed -n "s/.*default_hw_config: //p" "$3" 2>/dev/null)" >> {self.path}/calls\n[ "$1" != {fails} ]\n')
        manager.chmod(0o755)
        (self.path / "calls").unlink(missing_ok=True)
        result = subprocess.run([ROOT / "sims/firesim/sweep", "faults", "one", "two"], capture_output=True, check=False,
                                env=dict(os.environ, PATH=f"{self.path}:{os.environ['PATH']}", LATENCIES="2 20", TMPDIR=str(self.path)))
        self.assertEqual(list(self.path.glob("*.yaml")), [])
        return result.returncode, [line.split() for line in (self.path / "calls").read_text().splitlines()]

    def test_a_sweep_launches_its_run_farm_and_terminates_it(self):
        code, calls = self.sweep()
        self.assertEqual(code, 0)
        steps = [[step, target] for target in ("one", "two") for _ in range(2) for step in ("infrasetup", "runworkload")]
        self.assertEqual(calls, [["launchrunfarm", "one"], *steps, ["terminaterunfarm"]])

    def test_a_run_farm_is_terminated_after_a_failure(self):
        for step in ("launchrunfarm", "infrasetup", "runworkload"):
            code, calls = self.sweep(fails=step)
            self.assertNotEqual(code, 0)
            self.assertEqual([call[0] for call in calls[-2:]], [step, "terminaterunfarm"])

    def test_workloads_and_tables(self):
        with mock.patch.object(firesim, "HOME", self.path / "firesim"):
            program = self.path / "a.elf"
            program.touch()
            written = firesim._write({name: program for name in chipyard.PROGRAMS})  # pylint: disable=protected-access
        for path in written[1:]:
            workload = json.loads(path.read_text())
            self.assertIsNone(workload["common_rootfs"])
            for job in workload.get("workloads", [{"bootbinary": workload.get("common_bootbinary")}]):
                self.assertTrue((written[0] / job["bootbinary"]).is_file())
        with mock.patch.dict(os.environ, RESULTS=str(self.path)):
            with self.assertRaisesRegex(ui.Error, "no uartlog"):
                firesim.results()
            (self.path / "blockzero0").mkdir()
            log = self.path / "blockzero0" / "uartlog"
            record = '{"test": "throughput", "bytes": 4096}\n'
            for end in ("ok 1 - fast\n1..1\n", "run: ended with exit code 0\n"):
                log.write_text(record + end)
                with mock.patch("builtins.print") as shown:
                    firesim.results()
                self.assertIn(mock.call("job=blockzero0 test=throughput bytes=4096"), shown.call_args_list)
            for end in ("ok 1 - fast\n1..2\n", "not ok 1 - fast\n1..1\n", "ok 1 - fast\nPASSED\n", "PASSED\n", "run: ended with exit code 1\n"):
                log.write_text(record + end)
                with mock.patch("builtins.print"), self.assertRaisesRegex(ui.Error, "1 checks failed"):
                    firesim.results()


class Buildroot(Scratch):
    """The image of a user's Buildroot."""

    def found(self, name):
        with mock.patch.dict(os.environ, IMAGES=name):
            return buildroot.image()

    def test_none_is_asked_for(self):
        self.assertIsNone(self.found(""))

    def test_no_image_is_said(self):
        with self.assertRaisesRegex(ui.Error, "Image is missing.*output/images"):
            self.found(str(self.path))

    def test_another_file_is_said(self):
        (self.path / "Image").write_bytes(b"\x1f\x8b" + bytes(100))
        with self.assertRaisesRegex(ui.Error, "not an uncompressed kernel for RISC-V"):
            self.found(str(self.path))

    def test_an_image_is_found(self):
        (self.path / "Image").write_bytes(bytes(0x38) + b"RSC\x05")
        self.assertEqual(self.found(str(self.path)), (self.path / "Image").resolve())


class LiteX(Scratch):
    """The dialogue with LiteX's BIOS, in a program that stands in for its simulator."""

    BIOS = r"""#!/usr/bin/env python3
import sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

say("Press Q or ESC to abort boot completely.\r\n")
assert sys.stdin.read(1) == "Q"
say("\r\n\033[92;1mlitex\033[0m> ")
assert sys.stdin.readline() == "mem_read 0x13000000 8\n"
say("0x13000000  42 4c 4b 5a 00 01 00 00  BLKZ....\r\n\033[92;1mlitex\033[0m> ")
assert sys.stdin.readline() == "boot 0x80000000 0 0x80100000\n"
say("ok 1 - a check\n1..1\n# 0 fai")
say("led\n")
time.sleep(1000)
"""

    def test_the_dialogue_ends_with_the_test(self):
        simulator = self.path / "obj_dir" / "Vsim"
        simulator.parent.mkdir()
        simulator.write_text(self.BIOS)
        simulator.chmod(0o755)
        text = litex._run(self.path, self.path / "console.txt")
        self.assertTrue(text.endswith("# 0 failed\n"), text)
        self.assertRegex(text, litex.READS_ID)
        self.assertEqual((self.path / "console.txt").read_text(), text)
