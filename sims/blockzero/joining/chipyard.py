# SPDX-License-Identifier: BSD-3-Clause
"""The generator in a user's Chipyard: put there by links alone, taken out, tested on a simulator built with it."""

import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .. import processes, ui
from ..building import baremetal
from ..paths import ROOT
from ..running import linux, provenance, runs
from ..testing.tally import TAP, Tally

COMPILED_WITH = "48f904ae of 2026-04-29"
COMMANDS = """linked. In {root}, after 'source env.sh', Chipyard's own commands:

    make -C sims/verilator CONFIG=RocketBlockZeroConfig CONFIG_PACKAGE=blockzero              # the simulator
    make -C sims/verilator CONFIG=RocketBlockZeroConfig CONFIG_PACKAGE=blockzero run-binary-fast LOADMEM=1 TIMEOUT_CYCLES=1000000000 BINARY=FILE

FILE: of those that 'make baremetal' and 'make linux-elf' build, here. 'make test-chipyard SIM=SIMULATOR' runs all tests.
More configurations: generators/chipyard/Configs.scala; docs/chipyard.md says the rest."""


def checkout() -> Path:
    """The user's Chipyard; an Error if it cannot be one that the generator fits."""
    name = os.environ.get("CHIPYARD")
    if not name:
        raise ui.Error("where is Chipyard? Say CHIPYARD=<its folder>")
    root = Path(name).expanduser().resolve()
    if not (root / "build.sbt").is_file() or not (root / "generators" / "chipyard").is_dir():
        raise ui.Error(f"{root} is not a Chipyard checkout (no build.sbt and generators/chipyard)")
    testchipip = root / "generators" / "testchipip"
    if not (testchipip / "src").is_dir():
        raise ui.Error(f"{root} has no submodules yet: run its build-setup.sh first")
    if not (testchipip / "src/main/scala/soc/SubsystemInjector.scala").is_file():
        raise ui.Error(f"{root} is too old: its testchipip has no SubsystemInjector (compiled with: Chipyard {COMPILED_WITH})")
    return root


def _links(root: Path) -> dict:
    """{place in Chipyard: what it points to}."""
    generator = root / "generators" / "blockzero"
    return {
        generator / "engine": ROOT / "hardware" / "src" / "main" / "scala",
        generator / "tilelink": ROOT / "generators" / "tilelink",
        generator / "configs": ROOT / "generators" / "chipyard",
        root / "generators" / "chipyard" / "blockzero.sbt": ROOT / "generators" / "blockzero.sbt",
    }


def _free(place: Path, target: Path) -> None:
    """An Error if something else than our link is in a place."""
    if place.is_symlink() and place.resolve() != target.resolve():
        raise ui.Error(f"{place} is linked elsewhere, to {os.readlink(place)}; 'make chipyard-unlink' there first")
    if place.exists() and not place.is_symlink():
        raise ui.Error(f"{place} is there, and is no link: not ours to replace")


def link_one(place: Path, target: Path) -> None:
    """Makes a link; one that is there already stays."""
    _free(place, target)
    place.parent.mkdir(exist_ok=True)
    if not place.is_symlink():
        place.symlink_to(target)


def link() -> None:
    """Makes all links, or none."""
    root = checkout()
    links = _links(root)
    for place, target in links.items():
        _free(place, target)
    for place, target in links.items():
        link_one(place, target)
    print(COMMANDS.format(root=root))


def unlink() -> None:
    """Removes the links, also those of FireSim's workloads, and nothing else."""
    root = checkout()
    for place in (*_links(root), *(root / "sims" / "firesim" / "deploy" / "workloads").glob("blockzero*")):
        if place.is_symlink():
            place.unlink()
    generator = root / "generators" / "blockzero"
    if generator.is_dir() and not any(generator.iterdir()):
        generator.rmdir()
    ui.say(f"{root} is as it was without BlockZero")


PROGRAMS = ("contract", "memory", "throughput", "workingset", "clear")
CROSSINGS = "crossings"  # elaborations instead of a program
MAX_CYCLES = 1_000_000_000


def _home(simulator: Path) -> Path:
    """The Chipyard that a simulator was built in."""
    for directory in simulator.parents:
        if (directory / "generators" / "chipyard").is_dir():
            return directory
    raise ui.Error(f"{simulator} is not in a Chipyard checkout, whose revisions the results should name")


@dataclass(frozen=True)
class Target:
    """A simulator that a user's Chipyard has built."""

    program: Path
    root: Path  # of that Chipyard
    config: str  # its configuration, with the package's name
    flags: list  # plusargs of the simulation

    @property
    def name(self) -> str:
        return self.config.rsplit(".", 1)[-1]

    def command(self, elf: Path) -> list:
        return [self.program, "+permissive", *self.flags, f"+loadmem={elf}", f"+max-cycles={MAX_CYCLES}", "+permissive-off", elf]


def target() -> Target:
    """The simulator that SIM names, with the plusargs of SIM_FLAGS or those for DRAMSim2."""
    given = os.environ.get("SIM")
    if not given:
        raise ui.Error("which simulator? Say SIM=<what Chipyard built, sims/verilator/simulator-...>")
    program = Path(given).expanduser().resolve()
    if not program.is_file() or not os.access(program, os.X_OK):
        raise ui.Error(f"{program} is no program")
    root = _home(program)
    config = re.fullmatch(r"simulator-[^-]+-([^-]+)(-debug)?", program.name)
    if not config:
        raise ui.Error(f"{program} is not named as Chipyard names its simulators")
    dram = root / "generators" / "testchipip" / "src" / "main" / "resources" / "dramsim2_ini"
    return Target(program, root, config[1], (os.environ.get("SIM_FLAGS") or f"+dramsim +dramsim_ini_dir={dram}").split())


def run(command: list, what: str, log: Path) -> int:
    """Runs a simulation in the user's environment, console to `log`; tells the terminal how many checks are behind it."""
    done, told = 0, time.monotonic()
    with open(log, "w", encoding="utf-8") as console, processes.running(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                                                        errors="replace", env=None) as process:
        for line in process.stdout:
            console.write(line)
            console.flush()
            done += bool(TAP.match(line))
            if time.monotonic() - told > 20:
                told = time.monotonic()
                ui.say(f"{what}: {done} checks done")
        return processes.finish(process)


def _crossings(root: Path) -> list:
    """The command that elaborates every clock crossing, from the jar that came with the simulator."""
    jar = root / ".classpath_cache" / "chipyard.jar"
    if not jar.is_file():
        raise ui.Error(f"{jar} is missing, which Chipyard builds before a simulator; TESTS='{' '.join(PROGRAMS)}' does without")
    return ["java", "-Xmx4g", "-Xss8m", "-cp", jar, "blockzero.ElaborateCrossings"]


def test() -> None:
    """Every clock crossing elaborated and every bare-metal test on the user's simulator, or those of TESTS: a verdict, and a result file."""
    on = target()
    tests = (CROSSINGS, *PROGRAMS)
    wanted = (os.environ.get("TESTS") or " ".join(tests)).split()
    if not set(wanted) <= set(tests):
        raise ui.Error(f"TESTS={' '.join(wanted)}: must be some of {' '.join(tests)}")
    home = runs.new(f"chipyard-{on.name}", provenance.repository(), provenance.chipyard(on.root, on.config, on.flags))
    tally = Tally()
    records = []
    for program in wanted:
        what = f"{on.name}: {program}"
        console = home.part(program).console
        command = _crossings(on.root) if program == CROSSINGS else on.command(baremetal.programs() / f"{program}.elf")
        with ui.phase(what):
            code = run(command, what, console)
        tally.tap(console.read_text(), what, code)
        records += linux.records(console)
    if records and not tally.failed:
        print(f"results: {home.keep(records)}")
    tally.verdict(home.home)
