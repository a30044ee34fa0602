# SPDX-License-Identifier: BSD-3-Clause
"""Symbols and sums of a profile."""

import importlib.util
import unittest
from unittest import mock

from scratch import Scratch

from blockzero import ui
from blockzero.results import profile

KERNEL = "ffffffff80000000 T _start\nffffffff80001000 t handle_mm_fault\nffffffff80002000 D data\nffffffff80002000 T clear_page\n"
USER = "0000000000010000 T _text_begin\n0000000000010000 0000000000000080 T main\n0000000000010000 t label\n0000000000010100 t .L1\n0000000000010200 t touch\n"
SAMPLES = "0;10010;10204;ffffffff80001004;ffffffff80002008 303\n0;10010;10210 101\n1;40;44;48 101\n"


class Profile(Scratch):
    def setUp(self):
        super().setUp()
        self.profile, self.kernel, self.user = (self.path / name for name in ("profile", "System.map", "System.map-user"))
        for file, text in ((self.profile, SAMPLES), (self.kernel, KERNEL), (self.user, USER)):
            file.write_text(text)

    def fold(self):
        return profile.fold(self.profile, [self.kernel, self.user])

    def test_addresses_become_functions(self):
        self.assertEqual(self.fold(), {("hart 0", "main", "touch", "handle_mm_fault", "clear_page"): 303, ("hart 0", "main", "touch"): 101,
                                       ("hart 1", profile.NOWHERE): 101})

    def test_an_address_far_from_any_function_has_no_name(self):
        names = profile.Symbols([self.user])
        self.assertEqual([names.function(address) for address in (0x0ffff, 0x10200 + profile.REACH)], [profile.NOWHERE] * 2)

    def test_the_first_file_that_has_a_function_there_counts(self):
        other = self.path / "System.map-other"
        other.write_text("0000000000010000 T other\n")
        self.assertEqual(profile.Symbols([other, self.user]).function(0x10000), "other")

    def test_elf_files_are_read_with_nm(self):
        with mock.patch.object(ui, "output", return_value=USER) as nm:
            self.assertEqual(profile.Symbols([self.path / "program"]).function(0x10000), "main")
        nm.assert_called_once_with(["riscv64-linux-gnu-nm", "--defined-only", "--print-size", self.path / "program"])

    def test_a_function_has_its_own_cycles(self):
        self.assertEqual(profile.table(self.fold()), [("clear_page", 303, 0.6), ("touch", 101, 0.2), (profile.NOWHERE, 101, 0.2)])

    def test_a_caller_has_those_of_what_it_calls(self):
        nodes = profile.nodes(self.fold())
        self.assertEqual(nodes[("all",)], 505)
        self.assertEqual(nodes[("all", "hart 0", "main", "touch")], 404)

    def test_what_is_too_small_is_left_out(self):
        with mock.patch.object(profile, "LEAST", 0.5):
            self.assertNotIn(("all", "hart 1"), profile.nodes(self.fold()))

    def test_no_samples(self):
        self.profile.write_text("")
        with self.assertRaisesRegex(ui.Error, "no samples"):
            profile.write(self.profile, [], self.path)

    @unittest.skipUnless(importlib.util.find_spec("plotly"), "Plotly is in the tools' Python")
    def test_files(self):
        profile.write(self.profile, [self.kernel, self.user], self.path)
        self.assertIn("hart 0;main;touch 101\n", (self.path / "profile.folded").read_text())
        self.assertEqual((self.path / "profile.txt").read_text().splitlines()[0].split(), ["303", "60.0%", "clear_page"])
        self.assertIn("clear_page", (self.path / "profile.html").read_text())


if __name__ == "__main__":
    unittest.main()
