# SPDX-License-Identifier: BSD-3-Clause
"""Runs a target of LiteX with the tile beside Rocket: `python -m blockzero_litex Tile.sv litex.tools.litex_sim --cpu-type rocket ...`."""

import runpy
import sys
from pathlib import Path

USAGE = "usage: python -m blockzero_litex Tile.sv MODULE --cpu-type rocket ..., MODULE as in python -m MODULE"


def main() -> None:
    if len(sys.argv) < 3 or not Path(sys.argv[1]).is_file():
        sys.exit(USAGE)
    from litex.soc.cores import cpu  # pylint: disable=import-outside-toplevel

    from .rocket import BlockZeroRocket  # pylint: disable=import-outside-toplevel

    BlockZeroRocket.tile = Path(sys.argv[1]).resolve()
    cpu.CPUS["rocket"] = BlockZeroRocket
    target = sys.argv[2]
    sys.argv = [target, *sys.argv[3:]]
    runpy.run_module(target, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
