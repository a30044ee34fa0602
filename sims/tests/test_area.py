# SPDX-License-Identifier: BSD-3-Clause
"""The page of what the tile takes on FPGAs."""

import unittest

from blockzero.results import area, report


class Area(unittest.TestCase):
    def test_the_published_page_is_that_of_its_results(self):
        path = report.PUBLISHED / "area.jsonl"
        text = area.page(path)
        self.assertEqual((report.PUBLISHED / "area.md").read_text(), text, f"run: make publish RESULTS={path}")
        for tile in area.TILES:
            self.assertIn(f"| {tile} | ", text)

    def test_the_share_is_of_both_together(self):
        (text, _) = area._share({"rocket": "R", "ecp5": {"luts": 900, "ffs": 300}}, {"luts": 100, "ffs": 100})  # pylint: disable=protected-access
        self.assertIn("10.0% of the LUTs and 25.0% of the FFs", text)


if __name__ == "__main__":
    unittest.main()
