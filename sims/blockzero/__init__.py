# SPDX-License-Identifier: BSD-3-Clause
"""The flow: sets up tools, builds every part, runs it in Verilator and reports what was measured."""
