# SPDX-License-Identifier: BSD-3-Clause
"""What a build depends on: the machine it runs on, and what its key in the cache has in it."""

import errno
import io
import os
import re
import subprocess
import sys
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

from scratch import ROOT, Scratch

from blockzero import __main__ as command_line
from blockzero import config, ui
from blockzero.building import baremetal, cache, debian, firmware, fpga, kernel, rootfs, rtl, simulator, tools
from blockzero.joining import litex
from blockzero.proving import model, prove

SOC = {"harts": 1, "regions": {name: {"base": 0x1000, "size": 0x1000} for name in ("ram", "engine", "bootrom")}}
CONFIG = config.Config()

# What is kept, and the module that builds it.
KINDS = {
    "python": (tools, tools.python_environment), "sbt": (tools, tools.sbt_launcher), "rtl": (rtl, lambda: rtl.verilog(CONFIG)),
    "sim": (simulator, lambda: simulator.binary(CONFIG)), "baremetal": (baremetal, baremetal.programs),
    "bootrom": (firmware, lambda: firmware.boot_rom(SOC, 1 << 20, True)), "payload": (firmware, lambda: firmware.payload(ROOT / "Makefile")),
    "musl": (rootfs, rootfs.musl), "busybox": (rootfs, rootfs.busybox), "programs": (rootfs, rootfs.programs), "rootfs": (rootfs, rootfs.initramfs),
    "linux-source": (kernel, kernel._source),  # pylint: disable=protected-access
    "linux": (kernel, kernel.image), "linux-off": (kernel, kernel.symbols_without_options),
    "linux-modules": (kernel, lambda: kernel.with_modules(False)), "modules": (kernel, lambda: kernel.modules(ROOT / "sw" / "user", False)),
    "fpga-python": (fpga, fpga.environment), "tile": (fpga, lambda: fpga.verilog(fpga.Tile(), "area")),
    "synthesis": (fpga, lambda: fpga.cells(fpga.Tile(), "synth_ecp5")), "placed": (fpga, lambda: fpga.mhz(fpga.Tile(), 1)),
    "proof-model": (model, lambda: model.build(fpga.Tile())), "proof": (prove, prove.reached),
    "litex-python": (litex, litex.environment), "litex": (litex, lambda: litex.simulator(litex.tile(CONFIG), "contract")),
}
READ = {"stat.json": '{"design": {"num_cells_by_type": {}}}', "report.json": '{"fmax": {"clock": {"achieved": 1}}}', "Tile.sv": "", "Prove.smt2": "", "records.jsonl": "", "symbols": "", "hello.ko": "", "contract.bin": ""}


class Keys(Scratch):
    """Nothing is built here: a build is a directory named as its key."""

    def setUp(self):
        super().setUp()
        self.keys, self.inputs = {}, {}
        self.patch(cache, "build", self.build)
        self.patch(debian, "source_version", lambda package: f"{package} 1")
        self.patch(debian, "toolchain", lambda: "gcc 12")
        self.patch(model, "harness", lambda text, _tile: text)
        (self.path / "symbols").write_text("")

    def build(self, name, inputs, make, *_):
        inputs = list(inputs)
        self.inputs[name] = [*inputs, Path(make.__code__.co_filename)]
        self.keys[name] = cache._key(inputs, make)  # pylint: disable=protected-access
        result = self.path / name / self.keys[name]
        (result / "lib" / "python3.0" / "site-packages").mkdir(parents=True, exist_ok=True)
        for file, text in READ.items():
            (result / file).write_text(text)
        return result

    def all_keys(self):
        for _, builds in KINDS.values():
            builds()
        return dict(self.keys)

    def changed(self):
        """Of which kinds the key has changed since the last time."""
        before = dict(self.keys)
        return {name for name, key in self.all_keys().items() if before[name] != key}

    def test_each_has_its_kind_here(self):
        self.all_keys()
        named = {name for path in (ROOT / "sims" / "blockzero").rglob("*.py")
                 for name in re.findall(r'cache\.build\("([\w-]+)"', path.read_text())}
        self.assertEqual(named - {"state", "dtb"}, set(self.keys))  # a state's inputs are those of all its parts; a device tree's its text

    def test_what_all_depend_on(self):
        self.all_keys()
        self.assertEqual(self.changed(), set())
        self.patch(debian, "toolchain", lambda: "gcc 14")
        self.assertEqual(self.changed(), set(KINDS))
        self.environment(JAVA_TOOL_OPTIONS="-DCHISEL=6.7.0")
        self.assertEqual(self.changed(), set(KINDS))
        flow = self.path / "flow" / "building"
        flow.mkdir(parents=True)
        (flow / "tools.py").write_text("other flags")
        (flow / "cpio.py").write_text("the same")
        self.patch(cache, "FLOW", flow.parent)
        self.assertEqual(self.changed(), set(KINDS))

    def test_the_flow_s_own_flags(self):
        module = self.path / "module.py"
        scope = {}
        exec(compile("def make(partial, log): pass", module, "exec"), scope)  # pylint: disable=exec-used
        keys = set()
        for text in ("-O1", "-O2"):
            module.write_text(text)
            keys.add(cache._key([], scope["make"]))  # pylint: disable=protected-access
        self.assertEqual(len(keys), 2)
        self.all_keys()
        for name, (module, _) in KINDS.items():
            self.assertIn(Path(module.__file__), self.inputs[name], name)

    def test_debian_s_sources(self):
        self.all_keys()
        self.patch(debian, "source_version", lambda package: f"{package} {1 + (package == 'busybox')}")
        self.assertEqual(self.changed(), {"busybox", "rootfs"})
        self.patch(debian, "source_version", lambda package: f"{package} 2")
        self.assertEqual(self.changed(), {"musl", "busybox", "programs", "rootfs"})

    def test_python(self):
        self.all_keys()
        self.patch(sys, "version_info", mock.Mock(major=3, minor=99))
        self.assertEqual(self.changed(), {"python", "sim", "fpga-python", "litex-python"})

    def test_files(self):
        for name, path in (("rtl", rtl.HARDWARE / "project"), ("rtl", rtl.HARDWARE / "src" / "main"), ("baremetal", baremetal.HOME),
                           ("litex", litex.HOME), ("programs", rootfs.SW / "user"), ("rootfs", rootfs.BOARD / "rootfs-overlay"), ("linux", kernel.BOARD / "linux.config")):
            self.all_keys()
            self.assertIn(path, self.inputs[name])


class Debian(Scratch):
    def os_release(self, text):
        (self.path / "os-release").write_text(text)
        self.environment(OS_RELEASE=str(self.path / "os-release"))

    def test_each_release_has_its_java(self):
        for release, java in (("12", "openjdk-17-jdk-headless"), ("13", "openjdk-21-jdk-headless")):
            self.os_release(f'PRETTY_NAME="Debian GNU/Linux {release}"\nID=debian\nVERSION_ID="{release}"\n')
            self.assertEqual([name for name in debian.packages() if "jdk" in name], [java])

    def test_nothing_is_installed_on_another(self):
        self.os_release('ID=fedora\nVERSION_ID=42\nPRETTY_NAME="Fedora Linux 42"\n')
        with mock.patch.object(ui, "run") as run, self.assertRaisesRegex(ui.Error, "Debian 12 or 13, and this is Fedora Linux 42"):
            tools.setup()
        run.assert_not_called()

    def test_packages_and_lists_that_are_missing_are_fetched(self):
        ran = []
        self.patch(tools.ui, "run", lambda command, log, **_: ran.append(command[command.index("-q") + 1]))
        self.patch(tools.cache, "need_space", lambda _: None)
        for have, listed, expected in (({"a": "1"}, True, []), ({"a": "1"}, False, ["update"]), ({}, True, ["update", "install"])):
            with mock.patch.object(debian, "packages", return_value=["a"]), mock.patch.object(debian, "installed", return_value=have), \
                    mock.patch.object(debian, "listed", return_value=listed), mock.patch.object(ui, "say"):
                tools.debian_packages()
            self.assertEqual(ran, expected)
            ran.clear()

    def test_version_of_a_source(self):
        for shown, version in (("1:1.37.0-6+b9", "1:1.37.0-6"), ("1.2.5-3.1~deb13u1", "1.2.5-3.1~deb13u1"), ("1:1.35.0-4+deb12u1+b1", "1:1.35.0-4+deb12u1")):
            debian.source_version.cache_clear()
            with mock.patch.object(ui, "output", return_value=f"x:\n  Installed: (none)\n  Candidate: {shown}\n"):
                self.assertEqual(debian.source_version("x"), version)
        debian.source_version.cache_clear()
        for shown in ("", "x:\n  Candidate: (none)\n"):
            with mock.patch.object(ui, "output", return_value=shown), self.assertRaisesRegex(ui.Error, "apt-get update"):
                debian.source_version("x")

    def test_source_stanzas(self):
        mine = "Types: deb\n# a comment\nURIs: http://mirror.example/debian\nSuites: trixie trixie-updates\nComponents: main contrib\nSigned-By:\n -----BEGIN\n .\n -----END\n"
        for other in ("Types: deb\nURIs: https://download.docker.com/linux/debian\nSuites: trixie\nComponents: stable\n",
                      "Types: deb\nURIs: https://example.org\nSuites: x\nComponents: main\n",
                      "Enabled: no\n" + mine, "# nothing\n", mine.replace("Types: deb", "Types: deb-src")):
            self.assertEqual(rootfs.source_stanzas(other), "")
            text = f"# Modernised\n{mine}\n\n{other}\n{mine.replace('Types: deb', 'types: deb deb-src').replace('trixie-updates', '')}"
            found = rootfs.source_stanzas(text).strip().split("\n\n")
            self.assertEqual(len(found), 2)
            for stanza in found:
                self.assertTrue(stanza.startswith("Types: deb-src\nURIs: http://mirror.example/debian\n"), stanza)
                self.assertTrue(stanza.endswith(" -----END"), stanza)

    def test_apt_reads_them(self):
        (self.path / "lists").mkdir()
        (self.path / "debian.sources").write_text(rootfs.source_stanzas("Types: deb\nURIs: http://x/debian\nSuites: trixie\nComponents: main\n"))
        listed = subprocess.run(["apt-get", "-oDir::Etc::sourcelist=/dev/null", f"-oDir::Etc::sourceparts={self.path}", f"-oDir::State::lists={self.path}/lists",
                                 "update", "--print-uris"], capture_output=True, text=True, check=True).stdout
        self.assertIn("http://x/debian/dists/trixie/main/source/Sources", listed)
        self.assertNotIn("binary-", listed)


class Place(Scratch):
    """What can be known before anything is built."""

    def setUp(self):
        super().setUp()
        self.patch(tools, "ROOT", self.path)
        self.patch(tools, "BUILD", self.path / "build")
        self.patch(tools, "HARDWARE", self.path / "hardware")

    def rejected(self, pattern):
        with self.assertRaisesRegex(ui.Error, pattern):
            tools._place()  # pylint: disable=protected-access

    def test_an_ordinary_one(self):
        self.patch(tools, "ROOT", Path("/home/jürgen/block-zero_1.0+git@home"))
        tools._place()  # pylint: disable=protected-access

    def test_a_path_that_make_takes_apart(self):
        for name in ("block zero", "a:b", "a,b", "it's", "a$b", "a#b"):
            self.patch(tools, "ROOT", self.path / name)
            self.rejected("move the repository")

    def test_a_build_directory_of_somebody_else(self):
        (self.path / "build" / "log").mkdir(parents=True)
        access = os.access
        with mock.patch.object(os, "access", lambda path, mode: Path(path).name != "log" and access(path, mode)):
            self.rejected("build/log is not yours to write")

    def test_a_full_disk(self):
        with mock.patch.object(cache.shutil, "disk_usage", return_value=mock.Mock(free=1000)):
            self.rejected("GiB free")

    def test_a_disk_that_fills_is_one_line(self):
        def fill():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/x/file")
        with mock.patch.object(command_line, "_commands", return_value={"setup": (fill, ())}), mock.patch.object(sys, "argv", ["bz", "setup"]), \
                mock.patch.object(command_line.processes, "catch_signals"), redirect_stderr(io.StringIO()) as said:
            self.assertEqual(command_line.main(), 1)
        self.assertEqual(said.getvalue(), "error: No space left on device: /x/file\n")


if __name__ == "__main__":
    unittest.main()
