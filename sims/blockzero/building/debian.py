# SPDX-License-Identifier: BSD-3-Clause
"""Which Debian this is, and what is installed of it."""

import functools
import os
import re
from fnmatch import fnmatch
from pathlib import Path

from .. import ui

RELEASES = {"12": ("dt-schema", "openjdk-17-jdk-headless"), "13": ("openjdk-21-jdk-headless",)}  # and what only one of them has
PACKAGES = """
    bc bison build-essential ca-certificates ccache cpio device-tree-compiler dpkg-dev flex gcc-riscv64-linux-gnu git
    libc6-dev-riscv64-cross libelf-dev liblz4-dev libssl-dev linux-source-6.12 maven opensbi perl
    python3-venv qemu-system-misc rsync xz-utils zlib1g-dev
""".split()
FOR_TESTS = ("chromium",)
# What a build's result depends on, as patterns: gcc-riscv64-linux-gnu, say, is an empty package that names gcc-12-riscv64-linux-gnu.
TOOLCHAIN = ("binutils*", "bison", "cpp-[0-9]*", "device-tree-compiler", "flex", "gcc-[0-9]*", "g++-[0-9]*", "libc6-dev*", "libstdc++-*-dev",
             "linux-libc-dev*", "linux-source-6.12", "make", "openjdk-*-headless", "opensbi")


def release() -> str:
    """Debian's number; an Error on any other system. OS_RELEASE names another file to learn it from, for tests."""
    try:
        text = Path(os.environ.get("OS_RELEASE") or "/etc/os-release").read_text()
    except OSError:
        text = ""
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.M))
    if fields.get("ID") != "debian" or fields.get("VERSION_ID") not in RELEASES:
        raise ui.Error(f"this needs Debian {' or '.join(RELEASES)}, and this is {fields.get('PRETTY_NAME', 'another system')}")
    return fields["VERSION_ID"]


def packages() -> list:
    """What must be installed."""
    return sorted([*PACKAGES, *RELEASES[release()]])


def installed() -> dict:
    """{package: version} of all that is installed."""
    listing = ui.output(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n"])
    return dict(line.split()[1:] for line in listing.splitlines() if line.startswith("installed "))


@functools.cache
def toolchain() -> str:
    """Versions of what builds are made with: an input to every key of the cache."""
    return str(sorted(item for item in installed().items() if any(fnmatch(item[0], pattern) for pattern in TOOLCHAIN)))


def version(package: str) -> str:
    """Of an installed package."""
    found = installed()
    if package not in found:
        raise ui.Error(f"the Debian package {package} is missing; run 'make setup'")
    return found[package]


def listed(package: str) -> bool:
    """Whether Debian's lists on this machine have a package: a container's image may have none."""
    return re.search(r"Candidate: \d", ui.output(["apt-cache", "policy", package])) is not None


@functools.cache
def source_version(package: str) -> str:
    """Of a source package: the newest that Debian's lists on this machine have of the binary package of that name, which need not be installed."""
    found = re.search(r"Candidate: (\d\S*)", ui.output(["apt-cache", "policy", package]))
    if not found:
        raise ui.Error(f"this machine's package lists lack {package}; as root: apt-get update")
    return re.sub(r"\+b\d+$", "", found[1])  # a rebuild for one architecture has its source's version
