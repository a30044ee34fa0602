# SPDX-License-Identifier: BSD-3-Clause
"""Proofs of what the engine promises."""
