# SPDX-License-Identifier: BSD-3-Clause
"""Writes a cpio archive in the `newc` format (Linux, Documentation/driver-api/early-userspace/buffer-format.rst)."""

import stat
from pathlib import Path


class Archive:
    """Entries belong to root and have no times, so equal contents give equal bytes."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._inode = 0

    def _entry(self, name: str, mode: int, data: bytes = b"", device: tuple = (0, 0)) -> None:
        self._inode += 1
        encoded = name.encode() + b"\0"
        fields = (self._inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
        self._data += b"070701" + b"".join(b"%08X" % field for field in fields)
        for part in (encoded, data):
            self._data += part
            self._data += b"\0" * (-len(self._data) % 4)

    def directory(self, name: str) -> None:
        self._entry(name, stat.S_IFDIR | 0o755)

    def file(self, name: str, data: bytes, executable: bool) -> None:
        self._entry(name, stat.S_IFREG | (0o755 if executable else 0o644), data)

    def link(self, name: str, target: str) -> None:
        self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def character_device(self, name: str, major: int, minor: int) -> None:
        self._entry(name, stat.S_IFCHR | 0o600, device=(major, minor))

    def write(self, path: Path) -> None:
        self._entry("TRAILER!!!", 0)
        path.write_bytes(self._data)
