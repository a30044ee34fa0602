# SPDX-License-Identifier: BSD-3-Clause
"""The kernel of a user's Buildroot, to boot instead of ours."""

import os
from pathlib import Path
from typing import Optional

from .. import ui

MAGIC_AT, MAGIC = 0x38, b"RSC\x05"  # Linux, Documentation/arch/riscv/boot-image-header.rst


def image() -> Optional[Path]:
    """Image, with its initramfs, in the folder that IMAGES names, or None; an Error if it is no such thing."""
    name = os.environ.get("IMAGES")
    if not name:
        return None
    path = Path(name).expanduser().resolve() / "Image"
    if not path.is_file():
        raise ui.Error(f"{path} is missing; IMAGES must be the folder output/images of a Buildroot with blockzero_defconfig")
    with open(path, "rb") as file:
        file.seek(MAGIC_AT)
        if file.read(len(MAGIC)) != MAGIC:
            raise ui.Error(f"{path} is not an uncompressed kernel for RISC-V")
    return path
