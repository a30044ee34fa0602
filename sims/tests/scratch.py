# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share."""

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sims"))

from blockzero.building import cache, kernel  # noqa: E402  pylint: disable=wrong-import-position
from blockzero.running import runs  # noqa: E402  pylint: disable=wrong-import-position


class Scratch(unittest.TestCase):
    """A test with a directory of its own for builds."""

    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.addCleanup(self._directory.cleanup)
        self.path = Path(self._directory.name)
        for module in (cache, kernel, runs):
            self.patch(module, "BUILD", self.path / "build")

    def patch(self, module, name, value):
        """For the rest of the test."""
        patch = mock.patch.object(module, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def environment(self, **values):
        patch = mock.patch.dict(os.environ, values)
        patch.start()
        self.addCleanup(patch.stop)
