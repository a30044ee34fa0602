# SPDX-License-Identifier: BSD-3-Clause
"""`make test`: everything that proves the system right. Ends with one line, 'N passed, N failed'."""

import fnmatch
import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from .. import processes, ui
from ..building import baremetal, debian, fpga, kernel, simulator, tools
from ..config import Config
from ..paths import BUILD, ROOT
from ..proving import prove
from ..results import coverage, report
from ..results.area import BUDGET
from ..running import linux, machine, provenance, runs, sets, workflow
from ..running.runs import Run
from . import browser, simulator_itself, stress
from .tally import Tally, seed

PROGRESS = 20  # seconds; two simulations share the terminal


def flow(tally: Tally, _run: Run, _config: Config) -> None:
    """The flow's own tests."""
    with processes.running([tools.python_environment() / "bin" / "python", "-m", "unittest", "discover", "-v", "-s", ROOT / "sims" / "tests"], env=os.environ, text=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        said = process.stderr.read()
        code = processes.finish(process)
    ran = re.search(r"Ran (\d+) tests?", said)
    tally.add(code == 0 and ran is not None and int(ran[1]) > 0, f"flow: {ran[1] if ran else 'no'} unit tests")
    for reason, count in Counter(re.findall(r"\.\.\. skipped ['\"](.*)['\"]$", said, re.M)).items():
        print(f"SKIPPED - flow: {count} unit tests: {reason}")
    if code:
        print(said)


def chisel(tally: Tally, run: Run, _config: Config) -> None:
    """ChiselSim tests on the default Chisel."""
    log = run.part("chisel").home / "sbt.log"
    good = True
    try:
        begin = time.time()
        with ui.phase("hardware: ChiselSim tests", "6 minutes"):
            tools.sbt(["test"], log, SEED=str(tally.seed), **tools.wheel_environment())
    except ui.Error as error:
        print(error)
        good = False
    with open(log.with_name(coverage.FILE), "w", encoding="utf-8") as all_points:
        all_points.writelines(path.read_text() for path in (BUILD / "chiselsim").rglob(coverage.FILE) if path.stat().st_mtime >= begin)
    text = log.read_text(errors="replace")
    for line in text.splitlines():
        if re.search(r"\*\*\* (FAILED|ABORTED) \*\*\*", line):
            print(f"    {line}")
    match = re.search(r"Tests: succeeded (\d+), failed (\d+)", text)
    passed, failed = (int(match[1]), int(match[2])) if match else (0, 0)
    good = good and passed > 0 and failed == 0
    tally.passed += passed
    tally.failed += failed or not good  # an aborted suite counts no failed test
    tally.show(good, f"hardware: {passed} ChiselSim tests passed")


def chisel6(tally: Tally, run: Run, _config: Config) -> None:
    """The same sources on Chipyard's Chisel."""
    what = "hardware: compiles with Chisel 6.7.0, and the Chipyard sources parse"
    try:
        with ui.phase(what, "2 minutes"):
            tools.sbt(["compile", "generators/compile"], run.part("chisel6").home / "sbt.log", chisel="6.7.0")
        tally.add(True, what)
    except ui.Error as error:
        tally.add(False, f"{what}: {error}")


def bare(tally: Tally, run: Run, config: Config, program: str) -> Path:
    """One bare-metal program on the RTL; its console."""
    what = f"bare metal: {program}, {config.rocket}, {config.port}, {config.variant}, write latency {config.write_latency}"
    system = machine.bare(config, program)
    run = run.part(f"{program}-{config.rocket}-{config.port}-{config.variant}-{config.write_latency}-{config.ram_mib}")
    with ui.phase(what):
        code = machine.simulate(system, [f"--label={program}", "--max-cycles=200000000", f"--progress={PROGRESS}"], run.console)
    tally.tap(run.console.read_text(errors="replace"), what, code)
    return run.console


# What a front port takes: bytes a cycle, of which relaxed leaves one in 33 to others; and of blocks under way at most: ordered, one
# for each kept ID bit; relaxed, one for each broadcast tracker. Each is under way for these cycles and the memory's write latency.
PORTS = {"ordered": (8, 2, 20), "relaxed": (8 * 32 / 33, 4, 16)}
WRITE_LATENCIES = (2, 6, 12, 22, 32, 42)


def ports(tally: Tally, run: Run, config: Config) -> None:
    """The engine gives each front port what it takes, at every memory latency."""
    for port, (most, blocks, cycles) in PORTS.items():
        for latency in WRITE_LATENCIES:
            console = bare(tally, run, replace(config, port=port, write_latency=latency), "port")
            rate = [r["bytes"] / r["busy_cycles"] for r in linux.records(console)]
            limit = min(most, blocks * 64 / (latency + cycles))
            tally.add(len(rate) == 1 and rate[0] >= 0.97 * limit,
                      f"{port} front port, write latency {latency}: {rate[0] if rate else 0:.2f} bytes a cycle, at least 97% of {limit:.2f}")


SMALL_RAM = 8  # MiB; has a place for jobs of up to 1 MiB, and larger ones are no different for a front port or an assertion
LINUX_RAM = 20  # enough for huge pages, and little, so that it is soon zeroed; the same everywhere, so that it is booted once
VERIFY = "-m 2 -M engine,demand -f"  # the CPU's own zeroing is what there is to check in QEMU
STRESS_SECONDS = 40
MEMSETS = 200


def _tap(tally: Tally, run: Run, config: Config, command: str, expect: int, what: str) -> str:
    """A command under Linux that prints TAP; what the console showed."""
    system = linux.system(replace(config, ram_mib=LINUX_RAM))
    code = linux.typed(run, system, [command], expect, what, PROGRESS)
    text = run.console.read_text(errors="replace")
    tally.tap(text, f"Linux: {what}", 0)
    tally.add(code == 0, f"Linux: {what}: ended with exit code {code}")
    return text


def verified(tally: Tally, run: Run, config: Config) -> None:
    """Linux with the series: all memory it hands out is right, in the engine's modes, while modes change, and under its faults."""
    text = _tap(tally, run.part("verify"), config, f"verify -S {tally.seed} {VERIFY}", 178_000_000, "verify, with the engine")
    stress.quiet(tally, text, "Linux")
    tally.add("# SKIP" not in text, "Linux: nothing was skipped with the engine there")


def memset(tally: Tally, run: Run, config: Config) -> None:
    """dmaengine's own test of DMA_MEMSET passes on every channel."""
    _tap(tally, run.part("dma-memset"), config, f"dma-memset {MEMSETS}", 15_000_000, f"dmatest fills memory {MEMSETS} times")


def options_off(tally: Tally, _run: Run, _config: Config) -> None:
    """The series compiles with every option of its own off."""
    symbols = kernel.symbols_without_options()
    ours = [name for name in symbols if re.search("zeroed_pages|kscrub|zero_engine|unsafe_no_zeroing|zone_lock_break|by_workers", name)]
    tally.add("post_alloc_hook" in symbols and not ours, f"Linux: with its options off, mm has nothing of the series{': ' if ours else ''}{', '.join(ours)}")


OFF_LIMITS = {"instructions": 1.005, "cycles": 1.06}  # where code lies makes up to 6% of its cycles: the set layouts takes the mean
SCRUB_LIMIT = 0.02


def fault_costs(tally: Tally, _run: Run, _config: Config) -> None:
    """With everything off a fault costs about what it costs without the series; with the engine it is cheap, and so is the scrub.

    In rapid succession it is, too, as kscrubd goes on: in the worst round as well. The same run takes the same number of cycles.
    """
    plan = sets.plan(sets.load(sets.path_of("check")), {}, {})
    _, records = report.load(workflow.carry_out("check", {"name": "check", **plan}, cores=1))

    def faults(unit: str, patches: str, cell: str, **which) -> list:
        return [r[unit] / r["folios"] if unit else report.cost(r) for r in records
                if r["test"] == "pft" and r["choices"] == {"PATCHES": patches} and r["cell"].split("/")[1].startswith(cell) and which.items() <= r.items()] or [float("nan")]

    for lines in (1, 64):
        for unit, limit in OFF_LIMITS.items():
            before, after = (min(faults(unit, patches, "off", lines=lines)) for patches in ("none", "all"))
            tally.add(after <= before * limit, f"off: a fault with {lines} lines touched costs {after:.0f} {unit}, {before:.0f} without the series "
                                               f"({(after / before - 1) * 100:+.2f}%, at most {(limit - 1) * 100:+.1f}%)")
    once, again = (faults("cycles", "all", cell) for cell in ("off-again", "off"))
    tally.add(once * 2 == again, f"the same run again takes the same number of cycles: {[round(c) for c in again]}")
    for rep, least in ((1, 2), (10, 1.8)):
        stock, engine = (faults("", "all", f"on-{mode}", rep=rep) for mode in ("stock", "engine"))
        tally.add(min(stock) / max(engine) >= least, f"engine: a fault, {rep} in succession, costs at most {max(engine):.0f} cycles instead of "
                                                     f"{min(stock):.0f}: {min(stock) / max(engine):.2f}x the rate, at least {least}x")
    served, filled = ([r[key] / r["folios"] for r in records if r.get("mode") == "engine" and r.get("rep") == 10] for key in ("zeroed_hit", "pool_pages"))
    fewest, most = min(served, default=0), max(filled, default=1)
    tally.add(most < 0.8 and fewest > 0.9, f"engine: zeroed pages serve at least {fewest * 100:.0f}% of the faults in succession, more than 90%; "
                                          f"the pool had at most {most * 100:.0f}% of them, less than 80%")
    share = report.scrub_share(records)
    tally.add(0 < share < SCRUB_LIMIT, f"engine: a scrub of fragmented memory costs the CPU {share * 100:.2f}% of the cycles of its own, "
                                       f"less than {SCRUB_LIMIT * 100:.0f}%")


def simulator_checked(tally: Tally, run: Run, config: Config) -> None:
    """What the simulator says and does beside simulating."""
    simulator_itself.check(tally, run.part("simulator"), config)


AREA_SLACK = 1.1


def area(tally: Tally, _run: Run, _config: Config) -> None:
    """The default tile stays small."""
    found = fpga.ecp5(fpga.Tile())
    for unit, budget in BUDGET.items():
        tally.add(found[unit] <= AREA_SLACK * budget, f"hardware: the default tile takes {found[unit]} {unit} of an ECP5, at most {AREA_SLACK:g} x {budget}")


def proven(tally: Tally, _run: Run, _config: Config) -> None:
    """What a small engine promises holds, and the proof would fail for a wrong engine."""
    for good, text in prove.verdicts(prove.quick()):
        tally.add(good, text)


def stressed(tally: Tally, run: Run, _config: Config) -> None:
    """Linux with the series and every check of the kernel's, on four harts without an engine, for a while."""
    stress.check(tally, run.part("stress"), STRESS_SECONDS)


def page(tally: Tally, run: Run, _config: Config) -> None:
    """The page of results, in a browser."""
    tools.debian_packages(debian.FOR_TESTS)
    browser.check(tally, run)


def _bare(program: str, **choices) -> Callable:
    def check(tally: Tally, run: Run, config: Config) -> None:
        bare(tally, run, replace(config, **choices), program)
    check.__doc__ = f"{program}, bare metal, {', '.join(map(str, choices.values())) or 'the default system'}."
    return check


# By name, the longest first: what is left for the end is short, and all cores are busy until then.
TESTS = {
    "verify": verified,
    "fault-costs": fault_costs,
    "checked-contract": _bare("contract", variant="checked"),
    "checked-memory": _bare("memory", variant="checked", ram_mib=SMALL_RAM),
    "chisel": chisel,
    "stress": stressed,
    "contract": _bare("contract"),
    "memory": _bare("memory"),
    "relaxed-memory": _bare("memory", port="relaxed", ram_mib=SMALL_RAM),
    "throughput": _bare("throughput"),
    "relaxed-throughput": _bare("throughput", port="relaxed"),
    "workingset": _bare("workingset"),
    "clear": _bare("clear"),
    "beside": _bare("beside"),
    "relaxed-beside": _bare("beside", port="relaxed"),
    "ports": ports,
    "dmatest": memset,
    "simulator": simulator_checked,
    "options-off": options_off,
    "chisel6": chisel6,
    "area": area,
    "prove": proven,
    "page": page,
    "flow": flow,
}


def run_bare() -> None:
    """Bare-metal programs on the SoC chosen, those of TESTS or all: a verdict."""
    config = Config.from_environment()
    programs = (os.environ.get("TESTS") or " ".join(baremetal.TESTS)).split()
    if not set(programs) <= set(baremetal.TESTS):
        raise ui.Error(f"TESTS={' '.join(programs)}: must be some of {' '.join(baremetal.TESTS)}")
    tally = Tally()
    before = provenance.repository()
    simulator.binary(config)
    run = runs.new("bare", before, provenance.standalone(config))
    for program in programs:
        bare(tally, run, config, program)
    tally.verdict(run.home)


def chosen(patterns: str) -> dict:
    """Those of TESTS that TEST names, by patterns as of file names; all without."""
    names = [name for pattern in patterns.split() for name in fnmatch.filter(TESTS, pattern)]
    if patterns and not names:
        raise ui.Error(f"TEST={patterns}: there is no such test; there are {' '.join(TESTS)}")
    return {name: test for name, test in TESTS.items() if name in names or not patterns}


def _timed(name: str, test: Callable, seconds: dict, *arguments) -> None:
    begin = time.monotonic()
    try:
        test(*arguments)
    finally:
        seconds[name] = time.monotonic() - begin


def run_all() -> None:
    """One test more at a time than there are cores: a simulation uses one, but some downloads, or a guest that sleeps, none."""
    tests = chosen(os.environ.get("TEST") or "")
    tally, config, seconds = Tally(seed()), Config(), {}
    print(f"seed {tally.seed} (make test SEED={tally.seed} repeats it)")
    before, begin = provenance.repository(), time.monotonic()
    run = runs.new("test", before, {"seed": tally.seed})
    with processes.pool(tools.jobs() + 1) as submit:
        tasks = [submit(_timed, name, test, seconds, tally, run, config) for name, test in tests.items()]
    for task in tasks:
        try:
            task.result()
        except (ui.Error, OSError) as error:
            tally.add(False, str(error))
    points = coverage.records(run.home)
    if points:
        run.keep(points)
        print(f"\nof {len(points)} cover points, tests never reached: {', '.join(coverage.never(points)) or 'none'}")
    slowest = sorted(seconds, key=lambda name: -seconds[name])[:5]
    busy = sum(os.times()[:4]) / (time.monotonic() - begin) / tools.jobs()
    print(f"\nslowest: {', '.join(f'{name} {seconds[name]:.0f} s' for name in slowest)}; {busy * 100:.0f}% of {tools.jobs()} cores were busy")
    tally.verdict(run.home)
