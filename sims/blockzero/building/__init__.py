# SPDX-License-Identifier: BSD-3-Clause
"""What is built: RTL, simulator, kernel, firmware, root filesystem, bare-metal programs."""
