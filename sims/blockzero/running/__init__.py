# SPDX-License-Identifier: BSD-3-Clause
"""What runs: a system, commands on it, and the directory that keeps what came out."""
