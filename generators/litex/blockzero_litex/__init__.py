# SPDX-License-Identifier: BSD-3-Clause
"""BlockZero beside LiteX's Rocket: docs/litex.md."""
