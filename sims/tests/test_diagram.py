# SPDX-License-Identifier: BSD-3-Clause
"""The timing diagram is of the waveform that is beside it."""

import unittest

from scratch import Scratch

from blockzero.results import diagram


class Diagram(Scratch):
    def test_a_wave_is_read_cycle_by_cycle(self):
        self.assertEqual(diagram.levels({"wave": "x=.=x", "data": ["A", "B"]}), [None, "A", "A", "B", None])
        self.assertEqual(diagram.levels({"wave": "0.1"}), ["0", "0", "1"])

    def test_the_published_one_is_not_stale(self):
        self.assertIn(diagram.digest(), diagram.SOURCE.with_suffix(".svg").read_text(), "make registers draws it")

    def test_it_shows_every_signal(self):
        text = diagram.draw(self.path / "a.svg").read_text()
        for name in ("store", "block offered", "bus ready", "block answered", "interrupt", "SUBMIT"):
            self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main()
