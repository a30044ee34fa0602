# SPDX-License-Identifier: BSD-3-Clause
"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
FLOW = ROOT / "sims" / "blockzero"
HARDWARE = ROOT / "hardware"
SW = ROOT / "sw"
PATCHES = ROOT / "linux-patches"
BOARD = ROOT / "buildroot-overlay" / "board" / "blockzero"
VERILATOR = ROOT / "sims" / "verilator"
