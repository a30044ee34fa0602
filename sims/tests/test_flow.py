# SPDX-License-Identifier: BSD-3-Clause
"""The flow's logic, without building anything large."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sims"))

from blockzero import (bench, buildroot, cache, chipyard, clearing, config, cpio, devicetree,  # noqa: E402  pylint: disable=wrong-import-position
                       firesim, kernel, paths, report, rivals, ui)
from blockzero.tally import Tally  # noqa: E402  pylint: disable=wrong-import-position

SOC = {
    "rocket": "LitexFullConfig", "harts": 2, "isa": "rv64imafdc", "cycles_per_tick": 100, "uart_irq": 8, "front_port": "ordered",
    "regions": {name: {"base": base, "size": 0x1000} for base, name in
                [(0x2000000, "clint"), (0xc000000, "plic"), (0x10000000, "bootrom"), (0x11000000, "uart"), (0x12000000, "finisher"),
                 (0x13000000, "engine"), (0x80000000, "ram")]},
    "engine": {"irq": 1, "channels": 2},
}


class Scratch(unittest.TestCase):
    """A test with a directory of its own for builds."""

    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.addCleanup(self._directory.cleanup)
        self.path = Path(self._directory.name)
        for module in (cache, kernel):
            patch = mock.patch.object(module, "BUILD", self.path / "build")
            patch.start()
            self.addCleanup(patch.stop)


class Cache(Scratch):
    def test_builds_once_for_equal_inputs(self):
        made = []
        for text in ("a", "a", "b"):
            cache.build("x", [text], lambda partial, log: made.append(partial), "x")
        self.assertEqual(len(made), 2)

    def test_follows_contents_and_not_times(self):
        file = self.path / "file"
        file.write_text("one")
        before = cache.digest([file])
        os.utime(file, (0, 0))
        self.assertEqual(cache.digest([file]), before)
        file.write_text("two")
        self.assertNotEqual(cache.digest([file]), before)

    def test_failure_leaves_nothing(self):
        def fail(partial, log):
            (partial / "half").write_text("")
            raise ui.Error("no")
        with self.assertRaises(ui.Error):
            cache.build("x", ["a"], fail, "x")
        self.assertEqual(list((self.path / "build" / "x").iterdir()), [])

    def test_missing_input_is_named(self):
        with self.assertRaisesRegex(ui.Error, "nowhere"):
            cache.digest([self.path / "nowhere"])

    def test_full_disk_is_said(self):
        with self.assertRaisesRegex(ui.Error, "GiB free"):
            cache.need_space(1e9)


class Choices(unittest.TestCase):
    def rejected(self, pattern, **environment):
        with mock.patch.dict(os.environ, environment), self.assertRaisesRegex(ui.Error, pattern):
            config.Config.from_environment()

    def test_bad_choices(self):
        self.rejected("CONFIG=Nonsense.*LitexFullConfig", CONFIG="Nonsense")
        self.rejected("PORT=fast", PORT="fast")
        self.rejected("RAM=8", RAM="8")
        self.rejected("READ_LATENCY=ten", READ_LATENCY="ten")

    def test_empty_means_default(self):
        with mock.patch.dict(os.environ, CONFIG="", PORT="", RAM=""):
            self.assertEqual(config.Config.from_environment(), config.Config())


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

    def environment(self, **values):
        patch = mock.patch.dict(os.environ, values)
        patch.start()
        self.addCleanup(patch.stop)

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


class ChipyardTest(Scratch):
    """`make test-chipyard`, with a script in the place of a simulator."""

    def setUp(self):
        super().setUp()
        self.root = self.path / "chipyard"
        for directory in ("generators/chipyard", "sims/verilator"):
            (self.root / directory).mkdir(parents=True)
        for module in (chipyard, bench):
            patch = mock.patch.object(module, "BUILD", self.path / "build")
            patch.start()
            self.addCleanup(patch.stop)
        patch = mock.patch.object(chipyard.baremetal, "programs", return_value=self.path)
        patch.start()
        self.addCleanup(patch.stop)

    def simulator(self, *lines, code=0, name="simulator-chipyard.harness-a.Without_b.MyConfig"):
        path = self.root / "sims" / "verilator" / name
        path.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines) + f"exit {code}\n")
        path.chmod(0o755)
        return str(path)

    def run_test(self, simulator):
        with mock.patch.dict(os.environ, SIM=simulator, SIM_FLAGS=""), mock.patch("builtins.print"), mock.patch.object(ui, "say"):
            chipyard.test()

    def results(self):
        return list((self.path / "build" / "results").glob("*-chipyard-MyConfig.jsonl"))

    def test_all_well_keeps_results(self):
        self.run_test(self.simulator("ok 1 - a", '{"test": "throughput"}', "1..1"))
        provenance, records = report.load(self.results()[0])
        self.assertEqual(provenance["config"], "a.Without_b.MyConfig")
        self.assertEqual(records, [{"test": "throughput"}] * len(chipyard.PROGRAMS))

    def test_a_failure_is_a_failure(self):
        for simulator in (self.simulator("not ok 1 - a", '{"test": 1}', "1..1"), self.simulator("ok 1 - a", '{"test": 1}', "1..1", code=1)):
            with self.assertRaisesRegex(ui.Error, "checks failed"):
                self.run_test(simulator)

    def test_what_is_no_simulator_is_said(self):
        for simulator, pattern in (("", "SIM="), (str(self.path), "no program"), ("/bin/sh", "not in a Chipyard"),
                                   (self.simulator(name="simulator"), "not named")):
            with self.assertRaisesRegex(ui.Error, pattern):
                self.run_test(simulator)


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


class Commands(unittest.TestCase):
    """What a user sees of a mistake: one line, non-zero exit."""

    def run_bz(self, *arguments, **environment):
        return subprocess.run([ROOT / "sims" / "bz", *arguments], capture_output=True, text=True, env=dict(os.environ, **environment))

    def one_line(self, result):
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("error: "), result.stderr)

    def test_unknown_command(self):
        self.one_line(self.run_bz("nonsense"))

    def test_unknown_config(self):
        self.one_line(self.run_bz("rtl", CONFIG="Nonsense"))

    def test_help_names_every_command(self):
        text = subprocess.run(["make", "-s", "-C", ROOT, "help"], capture_output=True, text=True, check=True).stdout
        for target in ("setup", "rtl", "sim", "linux", "boot", "bench", "report", "publish", "test", "baremetal", "chipyard-link", "test-chipyard", "linux-tree", "linux-series", "clean"):
            self.assertIn(f"make {target}", text)


class Kernel(Scratch):
    def test_other_version(self):
        with mock.patch.object(kernel.tools, "package_version", return_value="6.18.3-1"):
            with self.assertRaisesRegex(ui.Error, "6.12.*6.18.3"):
                kernel._unpack(self.path / "tree", self.path / "log")  # pylint: disable=protected-access

    def test_series_that_does_not_fit(self):
        tree = self.path / "tree"
        tree.mkdir()
        with self.assertRaisesRegex(ui.Error, "does not fit Linux"):
            kernel._apply(tree, self.path / "log")  # pylint: disable=protected-access

    def test_register_header_is_the_generated_one(self):
        patch = "".join(p.read_text() for p in kernel.series())
        added = []
        inside = False
        for line in patch.splitlines():
            if line.startswith("+++ "):
                inside = line.endswith("/blockzero-regs.h")
            elif line.startswith(("diff ", "-- ")):
                inside = False
            elif inside and line.startswith("+"):
                added.append(line[1:])
        self.assertEqual("\n".join(added) + "\n", (paths.SW / "include" / "blockzero_regs.h").read_text())


class DeviceTree(unittest.TestCase):
    def test_follows_the_soc(self):
        text = devicetree.source(SOC, 64 << 20, "quiet", (0x83f00000, 0x83f10000))
        self.assertIn("blockzero@13000000", text)
        self.assertIn("interrupts = <1 2>", text)
        self.assertIn("timebase-frequency = <1000000>", text)
        self.assertEqual(text.count("device_type = \"cpu\""), 2)
        self.assertNotIn("blockzero@", devicetree.source(SOC, 64 << 20, "quiet", (0, 0), engine=False))

    def test_quotes_are_refused(self):
        with self.assertRaises(ui.Error):
            devicetree.source(SOC, 64 << 20, 'a"b', (0, 0))


class Cpio(Scratch):
    def test_cpio_reads_it(self):
        archive = cpio.Archive()
        archive.directory("bin")
        archive.file("bin/odd", b"12345", True)
        archive.link("bin/sh", "odd")
        archive.write(self.path / "a.cpio")
        listing = subprocess.run(["cpio", "-itv", "--quiet"], input=(self.path / "a.cpio").read_bytes(), capture_output=True, check=True).stdout.decode()
        self.assertRegex(listing, r"-rwxr-xr-x .* 5 .* bin/odd")
        self.assertRegex(listing, r"bin/sh -> odd")


class Verdicts(unittest.TestCase):
    def tally(self, text, code=0):
        tally = Tally(1)
        with mock.patch("builtins.print"):
            tally.tap(text, "x", code)
        return tally.passed, tally.failed

    def test_tap(self):
        self.assertEqual(self.tally("ok 1 - a\nok 2 - b\n1..2\n"), (2, 0))
        self.assertEqual(self.tally("ok 1 - a\nnot ok 2 - b\n1..2\n"), (1, 1))

    def test_what_does_not_end_fails(self):
        self.assertEqual(self.tally("ok 1 - a\n"), (1, 1))
        self.assertEqual(self.tally("ok 1 - a\n1..2\n"), (1, 1))
        self.assertEqual(self.tally(""), (0, 1))
        self.assertEqual(self.tally("1..0\n"), (0, 1))
        self.assertEqual(self.tally("ok 1 - a\n1..1\n", 125), (1, 1))


class Report(unittest.TestCase):
    def test_ratio_and_spread(self):
        def record(mode, cycles):
            return {"test": "pft", "mode": mode, "folio_kib": 4, "lines": 1, "rep": 1, "folios": 10, "cycles": cycles, "wall_ns": 0}
        table = report.collect([record("stock", 100000), record("stock", 125000), record("engine", 50000)])
        text = report.markdown(table)
        self.assertIn("4 KiB, 1 line touched", text)
        self.assertIn("10.0 -20.0%", text)
        self.assertIn("20.0  2.00x", text)

    def test_on_demand_is_beside_what_engine_and_cpu_allow(self):
        def record(mode, cycles, **more):
            return {"test": "pft", "mode": mode, "folio_kib": 2048, "lines": 1, "rep": 1, "folios": 2, "mhz": 100, "cycles": cycles,
                    "fault_ns": cycles * 10, **more}
        records = [record("stock", 2200000), record("none", 200000), record("demand", 500000, engine_busy_cycles=2 ** 20, engine_bytes=2 ** 22)]
        text = report.on_demand(records)  # 2 MiB take the engine 2^19 cycles
        self.assertIn("4.00 bytes a cycle and the CPU 2.10. That allows 1.91x for zeroing, and 1.76x for faults", text)
        self.assertIn("They are 4.40x as fast, 249.7% of it", text)
        self.assertEqual(report.on_demand(records[::2]), "")

    def test_depletion_is_averaged_over_rounds(self):
        def record(hits, rep=10):
            return {"test": "pft", "mode": "engine", "folio_kib": 16, "rep": rep, "folios": 10, "zeroed_hit": hits}
        self.assertIn("40% (16 KiB", report.depletion([record(2), record(6), record(9, rep=1)]))
        self.assertEqual(report.depletion([record(9, rep=1)]), "")

    def test_rivals_are_judged_by_time_and_by_cpu_time(self):
        def record(mode, fault_ns, cpu_ns):
            return {"test": "pft", "mode": mode, "folios": 2, "mhz": 100, "fault_ns": fault_ns, "cpu_ns": cpu_ns}
        records = [record("stock", 40000, 40000), record("workers4", 10000, 60000), record("demand", 8000, 2000)]
        self.assertEqual(rivals.costs(records, "fault_ns"), {"stock": [2000], "workers4": [500], "demand": [400]})
        self.assertEqual(rivals.costs(records, "cpu_ns"), {"stock": [2000], "workers4": [3000], "demand": [100]})

    def test_published_page_is_that_of_its_results(self):
        home = report.PUBLISHED
        self.assertEqual((home / "report.md").read_text(), report.page(home / "bench.jsonl"), "run 'make bench publish'")

    def test_published_chipyard_page_is_that_of_its_results(self):
        files = clearing.published()
        self.assertTrue(files)
        self.assertEqual((report.PUBLISHED / "chipyard.md").read_text(), clearing.page(files), "run 'make publish'")


if __name__ == "__main__":
    unittest.main()
