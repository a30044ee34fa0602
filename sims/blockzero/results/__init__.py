# SPDX-License-Identifier: BSD-3-Clause
"""Tables, pages and plots, from result files alone."""
