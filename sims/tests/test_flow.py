# SPDX-License-Identifier: BSD-3-Clause
"""The flow's logic, without building anything large."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from scratch import ROOT, Scratch

from blockzero import config, paths, ui
from blockzero.building import cache, cpio, devicetree, firmware, kernel
from blockzero.testing.tally import Tally

SOC = {
    "rocket": "LitexFullConfig", "harts": 2, "isa": "rv64imafdc", "cycles_per_tick": 100, "uart_irq": 8, "front_port": "ordered",
    "regions": {name: {"base": base, "size": 0x1000} for base, name in
                [(0x2000000, "clint"), (0xc000000, "plic"), (0x10000000, "bootrom"), (0x11000000, "uart"), (0x12000000, "finisher"),
                 (0x13000000, "engine"), (0x80000000, "ram")]},
    "engine": {"irq": 1, "channels": 2},
}


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

    def test_what_sigkill_left_is_removed_unless_somebody_builds_it(self):
        home = self.path / "build" / "x"
        for name in ("dead", "alive"):
            (home / f"partial-{name}").mkdir(parents=True)
        with cache.locked("x-alive"):
            cache.build("x", ["a"], lambda partial, log: None, "x")
            self.assertEqual([path.name for path in home.glob("partial-*")], ["partial-alive"])

    def test_who_waits_for_another_s_build_can_be_stopped(self):
        with cache.locked("x"), mock.patch.object(cache.processes, "pause", side_effect=cache.processes.Stopped):
            with self.assertRaises(cache.processes.Stopped), cache.locked("x"):
                self.fail("locked twice")

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
        self.rejected("CHANNELS=8: must be a number from 1 to 7", CHANNELS="8")
        self.rejected("QUEUE=24: must be a power of two from 2 to 128", QUEUE="24")
        self.rejected("RAM=\u00b2", RAM="\u00b2")  # a digit, says str.isdigit()

    def test_empty_means_default(self):
        with mock.patch.dict(os.environ, CONFIG="", PORT="", RAM=""):
            self.assertEqual(config.Config.from_environment(), config.Config())


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

    def test_a_choice_that_a_command_ignores(self):
        result = self.run_bz("test", PORT="relaxed")
        self.one_line(result)
        self.assertIn("'make test' takes none of the choices, and not PORT", result.stderr)
        self.one_line(self.run_bz("rtl", RAM="32"))

    def test_another_system_is_refused(self):
        for text in ('ID=ubuntu\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04"\n', "ID=debian\nVERSION_ID=11\n", "ID=other\nVERSION_ID=12\n", ""):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                result = self.run_bz("setup", OS_RELEASE=file.name)
                self.one_line(result)
                self.assertIn("this needs Debian 12 or 13", result.stderr)

    def test_every_target_is_a_command_and_in_the_help(self):
        makefile = (ROOT / "Makefile").read_text()
        targets = set(re.search(r"^\.PHONY: (.*)", makefile, re.M)[1].split())
        handed_over = set(re.search(r"^(.*):\n\t@sims/bz", makefile, re.M)[1].split())
        usage = self.run_bz("nonsense").stderr
        self.assertEqual(handed_over, set(re.search("one of (.*);", usage)[1].split(", ")))
        self.assertEqual(targets - handed_over, {"clean", "distclean", "help"})
        text = subprocess.run(["make", "-s", "-C", ROOT, "help"], capture_output=True, text=True, check=True).stdout
        for target in targets - {"all", "help"}:
            self.assertRegex(text, rf"make {target}(?![\w-])")

    def test_cleaning_keeps_what_people_made(self):
        with tempfile.TemporaryDirectory() as directory:
            build = Path(directory) / "build"
            for name in ("linux-tree", "runs", "results", "log", "state", "rtl"):
                (build / name).mkdir(parents=True)
            for target, left in (("clean", {"linux-tree", "runs", "results", "rtl"}), ("distclean", {"linux-tree", "runs", "results"})):
                subprocess.run(["make", "-s", "-C", directory, "-f", ROOT / "Makefile", target], check=True)
                self.assertEqual({path.name for path in build.iterdir()}, left)


class Kernel(Scratch):
    def test_other_version(self):
        with mock.patch.object(kernel.debian, "version", return_value="6.18.3-1"):
            with self.assertRaisesRegex(ui.Error, "6.12.*6.18.3"):
                kernel._unpack(self.path / "tree", self.path / "log")  # pylint: disable=protected-access

    def test_series_that_does_not_fit(self):
        tree = self.path / "tree"
        tree.mkdir()
        with self.assertRaisesRegex(ui.Error, "does not fit Linux"):
            kernel._apply(tree, self.path / "log")  # pylint: disable=protected-access

    def series_of(self, commits):
        """write_series(), of a tree with such commits after base, 'letter' or 'patch'; the patches after."""
        tree, patches = self.path / "tree", self.path / "patches"
        (patches / "a").mkdir(parents=True)
        kernel.BUILD.mkdir()
        (patches / "a" / "0001-old.patch").write_text("old")
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", tree]
        subprocess.run(["git", "init", "-q", tree], check=True)
        for n, kind in enumerate(["base", *commits]):
            if kind != "letter":
                (tree / f"file{n}").write_text("x\n")
            subprocess.run([*git, "add", "."], check=True)
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", f"{kind} {n}\n\nWhat it is for.\n\nMore."], check=True)
            if n == 0:
                subprocess.run([*git, "tag", "base"], check=True)
        for name, value in (("TREE", tree), ("PATCHES", patches)):
            self.patch(kernel, name, value)
        with mock.patch.object(ui, "say"):
            kernel.write_series()
        return sorted(str(path.relative_to(patches)) for path in patches.rglob("*.*"))

    def test_a_series_replaces_the_old_one(self):
        self.assertEqual(self.series_of(["letter", "patch", "letter", "patch", "patch", "letter", "patch"]),
                         ["a/0000-cover-letter.patch", "a/0001-patch-2.patch",
                          "b/0000-cover-letter.patch", "b/0001-patch-4.patch", "b/0002-patch-5.patch",
                          "c/0000-cover-letter.patch", "c/0001-patch-7.patch"])
        self.assertEqual([patch.name for patch in kernel.series()], ["0001-patch-2.patch", "0001-patch-4.patch", "0002-patch-5.patch", "0001-patch-7.patch"])
        self.assertEqual((kernel.PATCHES / "b" / "series").read_text(), "0001-patch-4.patch\n0002-patch-5.patch\n")
        self.assertEqual(kernel.letter("b"), "letter 3\n\nWhat it is for.\n\nMore.\n")

    def test_a_part_without_a_letter_is_refused(self):
        with self.assertRaisesRegex(ui.Error, "1 empty commits.*3 are wanted"):
            self.series_of(["letter", "patch"])

    def test_no_commits_leave_the_old_series(self):
        with self.assertRaisesRegex(ui.Error, "no commits after base"):
            self.series_of([])
        self.assertEqual(kernel.series(), [self.path / "patches" / "a" / "0001-old.patch"])

    def test_a_series_that_cannot_be_written_leaves_the_old_one(self):
        output = ui.output
        def no_space(command, **options):
            if "format-patch" in command and "-o" in command:
                raise ui.Error("no space")
            return output(command, **options)
        with mock.patch.object(ui, "output", no_space), self.assertRaisesRegex(ui.Error, "no space"):
            self.series_of(["letter", "patch"] * 3)
        self.assertEqual(kernel.series(), [self.path / "patches" / "a" / "0001-old.patch"])

    def test_the_first_patch_has_nothing_to_switch_off(self):
        text = kernel.series()[0].read_text()
        changed = {line.strip() for line in re.findall(r"^[-+](?![-+])(.*)", text, re.M) if not line.startswith(("/*", " *"))}
        self.assertEqual(changed, {"static __always_inline", "static noinline", "__no_sanitize_memory"})

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
        text = devicetree.source(SOC, 64 << 20, 0x80000, "quiet", (0x83f00000, 0x83f10000))
        self.assertIn("/memreserve/ 0x80000000 0x80000;", text)
        self.assertIn("blockzero@13000000", text)
        self.assertIn("interrupts = <1 2>", text)
        self.assertIn("timebase-frequency = <1000000>", text)
        self.assertEqual(text.count("device_type = \"cpu\""), 2)
        self.assertNotIn("blockzero@", devicetree.source(SOC, 64 << 20, 0x80000, "quiet", (0, 0), engine=False))

    def test_every_opensbi_finds_how_to_power_off(self):
        """1.1 by the finisher's own name, those after it by syscon-poweroff alone."""
        text = devicetree.source(SOC, 64 << 20, 0x80000, "", (0, 0))
        self.assertRegex(text, r'finisher: test@[^{]*{\s*compatible = "sifive,test1", "sifive,test0", "syscon";')
        for what, value in (("poweroff", "0x5555"), ("reboot", "0x7777")):
            self.assertRegex(text, rf'{what} {{\s*compatible = "syscon-{what}";\s*regmap = <&finisher>;\s*offset = <0>;\s*value = <{value}>;')

    def test_quotes_are_refused(self):
        with self.assertRaises(ui.Error):
            devicetree.source(SOC, 64 << 20, 0x80000, 'a"b', (0, 0))


class Firmware(unittest.TestCase):
    """readelf -SW of Debian 12's and 13's fw_jump.elf, the lines that count."""

    SECTIONS = """
  [ 1] .text             PROGBITS        {text:016x} 000120 015120 00 WAX  0   0  8
  [10] .htif             PROGBITS        {htif:016x} 01a500 {size} 00  WA  0   0  8
"""

    def test_htif_is_found_wherever_addresses_begin(self):
        for text, htif in ((0x80000000, 0x8001a3e0), (0, 0x1a3e0)):
            self.assertEqual(firmware.htif_offset(self.SECTIONS.format(text=text, htif=htif, size="000010")), 0x1a3e0)

    def test_another_htif_is_refused(self):
        for sections in ("", self.SECTIONS.format(text=0, htif=0, size="000020")):
            with self.assertRaisesRegex(ui.Error, "no .htif of 16 bytes"):
                firmware.htif_offset(sections)


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


if __name__ == "__main__":
    unittest.main()
