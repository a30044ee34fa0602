# SPDX-License-Identifier: BSD-3-Clause
"""`make test` and `make stress`."""
