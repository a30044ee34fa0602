# SPDX-License-Identifier: BSD-3-Clause
"""LiteX's device tree with the tile in it: `python -m blockzero_litex.devicetree csr.json`, from the file that --csr-json writes.

It takes the arguments of LiteX's own litex_json2dts_linux.
"""

import contextlib
import io
import json
import sys

NODE = """
&{{/soc}} {{
    blockzero@{base:x} {{
        compatible = "blockzero,engine-1.0";
        reg = <{base:#x} {size:#x}>;
        interrupts = {interrupts};
    }};
}};
"""


def node(soc: dict) -> str:
    """The tile's node. LiteX counts interrupts from 0, Rocket's PLIC from 1."""
    first, channels = (int(soc["constants"][f"blockzero_{name}"]) for name in ("interrupt", "channels"))
    region = soc["memories"]["blockzero"]
    return NODE.format(base=region["base"], size=region["size"], interrupts=", ".join(f"<{first + c + 1}>" for c in range(channels)))


def main() -> None:
    from litex.tools import litex_json2dts_linux as litex  # pylint: disable=import-outside-toplevel

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        litex.main()
    with open(next(name for name in sys.argv[1:] if name.endswith(".json")), encoding="utf-8") as file:
        print(said.getvalue() + node(json.load(file)))


if __name__ == "__main__":
    main()
