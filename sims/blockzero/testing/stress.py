# SPDX-License-Identifier: BSD-3-Clause
"""`make stress`: the series on one hart and on four in QEMU, with every check of the kernel's, for as long as one likes.

QEMU has no engine: this is kscrubd on the CPU, races between harts, and KUnit. What is measured is measured in Verilator.
"""

import json
import re
import subprocess
import time
from pathlib import Path

from .. import processes, ui
from ..building import firmware, kernel, rootfs
from ..running import linux, provenance, runs
from .tally import Tally

CONFIG = ("linux-check.config", "linux-debug.config")
MEMORY_MIB = 256
CMA_MIB = 320  # of 512: of 256, more than half is nowhere in one piece, QEMU puts the initramfs in the middle
CMA_SECONDS = 20
# How much of CMA's is free before and while somebody has 16 MiB of anonymous memory: when its first byte arrives
CMA_USE = "grep CmaFree /proc/meminfo; dd if=/dev/zero bs=16M count=1 | (dd bs=1 count=1 of=/dev/null; grep CmaFree /proc/meminfo; cat > /dev/null)"
HARTS = (1, 4)
GIGANTIC_MIB = 6144  # has GiBs in one piece that nothing is reserved in
OFFLINE_MIB = 768
BALLOON = ("-device", "virtio-balloon-device,free-page-reporting=on")
ON = "echo 5 > /proc/sys/vm/scrub_start; sleep 3"
FREE = "grep -E 'nr_free_pages|count:' /proc/zoneinfo; echo mark"  # on free lists and on pcp lists
# What kscrubd keeps while all harts are busy: free pages with it on, and off
BUSY = f"{ON}; for i in 1 2 3 4; do while :; do :; done & done; dd if=/dev/zero of=/dev/null bs=64M count=2; sleep 2; {FREE}; echo 0 > /proc/sys/vm/scrub_start; {FREE}"
# Memory goes offline and comes back beside a busy hart and kscrubd: how often of ten. Not the first part of its zone: Linux 6.12 changes
# a zone's start and its length one after the other, and who frees or allocates between the two finds a page outside (VM_BUG_ON_PAGE).
OFFLINE = (f"{ON}; while :; do dd if=/dev/zero of=/dev/null bs=16M count=2 2> /dev/null; done & n=0; "
           "set -- $(grep -l Movable /sys/devices/system/memory/memory*/valid_zones); shift; for i in 0 1 2 3 4 5 6 7 8 9; do "
           "for z; do m=${z%/*}; if echo offline > $m/state; then echo online_movable > $m/state; n=$((n + 1)); break; fi; done; done; echo offlined $n")
# Ranges of CMA's beside kscrubd: how many of 20
CMA_ALLOC = ("mount -t debugfs none /sys/kernel/debug 2> /dev/null; cd /sys/kernel/debug/cma/*/; n=0; for i in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do "
             "dd if=/dev/zero of=/dev/null bs=16M count=1 2> /dev/null; echo 8192 > alloc && n=$((n + 1)); echo 8192 > free; done; cd /; echo ranges $n")
# Huge blocks that are free and known to be zero, when page reporting has had the time to give them away
REPORTED = f"{ON}; dd if=/dev/zero of=/dev/null bs=128M count=1; sleep 1; cat /sys/kernel/debug/zeroed_pages; sleep 60; cat /sys/kernel/debug/zeroed_pages"
GIGANTIC = f"{ON}; echo 1 > /sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages; cat /sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages"
# Parts of the series by themselves: the kernel's configuration beside the usual one, the suites of KUnit's, and what is run
PARTS_CONFIG = "".join(f"CONFIG_{name}=y\n" for name in ("KUNIT", "ZEROED_FREE_PAGES_KUNIT_TEST", "ZERO_ENGINE_KUNIT_TEST", "BLOCKZERO_KUNIT_TEST"))
SUITES = {"a": {"zeroed_pages"}, "b": {"zeroed_pages", "zero_engine", "blockzero"}}
BY_ITSELF = "verify -m 16; v=$?; pft -m stock,cpu -r 1 && exit $v"
# Loads of several kinds, with kscrubd off and on; of the faults that get a huge page without it, so many must with it.
MIXED = "echo {start} > /proc/sys/vm/scrub_start; mixed {seconds} {seed}"
MIXED_SHARE = 0.8  # 0.89 as the series is: docs/design.md
START_SECONDS = 60  # from QEMU's start to the kernel's first words, at most; 1 is usual
STARTS = 5
SPLAT = re.compile(r"WARNING|BUG:|UBSAN:|Oops|Call Trace|INFO: task|possible (?:recursive|circular)|inconsistent lock state")
KUNIT = re.compile(r"^\[ *[\d.]+\]     (not )?ok \d+ (\w+)(.*SKIP)?", re.M)
SUITE = re.compile(r"^\[ *[\d.]+\] ok \d+ (\w+)", re.M)


def _starts(qemu: subprocess.Popen, console: Path) -> bool:
    """Whether the kernel comes to say something.

    OpenSBI before 1.3 (its commit e8e9ed37; Debian 12 has 1.1) tells a waiting hart to go before it tells it where to. One
    that is quick goes to the kernel's first instruction and boots it a second time, and neither gets as far as its console.
    """
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        ended = qemu.poll() is not None
        if b"Linux version" in console.read_bytes():
            return True
        if ended:
            return False
        time.sleep(0.2)
    return False


def _run(run: runs.Run, image: Path, command: str, seconds: int, bootargs: str = "", memory: int = MEMORY_MIB, harts: int = 4, devices: tuple = ()) -> str:
    """Boots QEMU, which runs a command and powers off; what the console showed."""
    name, console = run.name, run.console
    machine = ["qemu-system-riscv64", "-M", "virt", "-m", str(memory), "-smp", str(harts), *devices, "-nographic", "-no-reboot", "-bios", firmware.opensbi(),
               "-kernel", image, "-initrd", rootfs.initramfs(), "-append", f'console=ttyS0 panic=-1 loglevel=7 {bootargs} "run={command}"']
    what = f"stress: {name}, {harts} hart{'s' if harts > 1 else ''} in QEMU"
    with ui.phase(what, f"{seconds // 60 + 1} minutes"):
        for _ in range(STARTS):
            try:
                with open(console, "wb") as out, processes.running(machine, stdout=out, stderr=subprocess.STDOUT) as qemu:
                    try:
                        if _starts(qemu, console):
                            qemu.wait(10 * seconds + 600)
                            return console.read_text(errors="replace")
                    finally:
                        qemu.kill()
            except FileNotFoundError:
                raise ui.Error("qemu-system-riscv64 is not installed; run 'make setup'") from None
            except subprocess.TimeoutExpired:
                raise ui.Error(f"{what}: it hangs; console: {console}") from None
            print(f"{what}: the kernel did not get to its console: this OpenSBI has started it twice, or it fails early; once more", flush=True)
    raise ui.Error(f"{what}: the kernel did not get to its console, {STARTS} times; console: {console}")


def quiet(tally: Tally, text: str, what: str) -> None:
    """The kernel has nothing to complain about."""
    splats = [line for line in text.splitlines() if SPLAT.search(line)]
    tally.add(not splats, f"{what}: no warning from the kernel" + (f": {splats[0]}" if splats else ""))


def _ended(tally: Tally, text: str, what: str) -> None:
    """The command ended well, and without a warning."""
    quiet(tally, text, what)
    ended = linux.ENDED.search(text)
    tally.add(ended is not None and ended[1] == "0", f"{what}: it ran to its end")


def _numbers(pattern: str, text: str) -> list:
    return [int(number) for number in re.findall(pattern, text, re.M)]


def _units(tally: Tally, text: str, what: str) -> None:
    """KUnit's tests have passed, every one."""
    units = KUNIT.findall(text)
    bad = [name for failed, name, skipped in units if failed or skipped]
    tally.add(len(units) > 10 and not bad, f"{what}: {len(units)} KUnit tests, failed or skipped: {', '.join(bad) or 'none'}")


def _parts(tally: Tally, run: runs.Run) -> None:
    """Part A of the series alone, and parts A and B: each boots, passes its KUnit tests and verify, and runs pft."""
    for part, suites in SUITES.items():
        image = kernel.image(patches=len(kernel.series(part)), lines=PARTS_CONFIG) / "Image"
        text = _run(run.part(f"up-to-{part}"), image, BY_ITSELF, 30, harts=1)
        what = f"stress, the series up to part {part.upper()}"
        tally.add(set(SUITE.findall(text)) >= suites, f"{what}: KUnit's suites {', '.join(sorted(suites))}")
        _units(tally, text, what)
        tally.tap(text, f"{what}: verify", 0)
        tally.add('"mode": "cpu"' in text, f"{what}: pft measures with kscrubd")
        _ended(tally, text, what)


def _contiguous(tally: Tally, run: runs.Run, image: Path) -> None:
    """Who needs large pieces of memory gets them beside kscrubd: gigantic pages, CMA, memory offlining; and others what it has."""
    text = _run(run.part("gigantic"), image, GIGANTIC, 20, "init_on_alloc=1", GIGANTIC_MIB)
    tally.add(_numbers(r"^(\d+)\r?$", text)[-1:] == [1], "stress: a gigantic page is there")
    _ended(tally, text, "stress with gigantic pages")

    for harts in HARTS:
        text = _run(run.part(f"busy-{harts}"), image, BUSY, 20, harts=harts)
        free = [sum(_numbers(r"^ *(?:nr_free_pages|count:) +(\d+)", part)) for part in text.split("\nmark")[:2]]
        tally.add(len(free) == 2 and free[1] - free[0] < 256, f"stress, {harts} busy: kscrubd keeps less than 1 MiB; pages free with it, and without: {free}")
        _ended(tally, text, f"stress, {harts} busy")

        text = _run(run.part(f"offline-{harts}"), image, OFFLINE, 60, "movablecore=384M", OFFLINE_MIB, harts)
        tally.add(_numbers(r"^offlined (\d+)", text) == [10], f"stress, {harts} harts: memory goes offline ten times, beside load: {_numbers(r'^offlined (.*)', text)}")
        _ended(tally, text, f"stress with offlining, {harts} harts")

    text = _run(run.part("cma-ranges"), image, f"{ON}; {CMA_ALLOC}", 30, "cma=64M", 2 * MEMORY_MIB)
    tally.add(_numbers(r"^ranges (\d+)", text) == [20], f"stress with CMA: all of 20 ranges are had beside kscrubd: {_numbers(r'^ranges (.*)', text)}")
    _ended(tally, text, "stress with CMA's ranges")

    text = _run(run.part("reporting"), image, REPORTED, 90, devices=BALLOON)
    huge = [int(first) + int(second) for first, second in re.findall(r"^Node 0, zone.* (\d+) +(\d+)\r?$", text, re.M)]
    tally.add(len(huge) > 1 and huge[0] > 4 and max(huge[len(huge) // 2:]) <= huge[0] // 4,
              f"stress with a balloon: page reporting gives zeroed blocks away as well; of the largest two orders, before and after: {huge}")
    _ended(tally, text, "stress with a balloon")


def _fragmented(tally: Tally, run: runs.Run, seconds: int) -> None:
    """kscrubd does not fragment memory: under loads of several kinds huge pages are had without compaction as often as without kscrubd."""
    image = kernel.image(smp=True, more=CONFIG) / "Image"
    shares = []
    for name, start in (("without", 0), ("with", 5)):
        text = _run(run.part(f"mixed-{name}"), image, MIXED.format(start=start, seconds=seconds, seed=tally.seed % 1_000_000), seconds)
        _ended(tally, text, f"stress, mixed load {name} kscrubd")
        (found,) = [json.loads(line) for line in re.findall(r'^{"test": "mixed".*}', text, re.M)] or [{}]
        had, missed = (found.get(f"thp_fault_{key}", 0) for key in ("alloc", "fallback"))
        shares.append(had / max(1, had + missed))
        print(f"stress, mixed load {name} kscrubd for {seconds} s: " + ", ".join(f"{key} {value}" for key, value in found.items() if key != "test"))
    tally.add(shares[1] >= MIXED_SHARE * shares[0] > 0, f"stress, mixed load: {shares[1]:.1%} of faults get a huge page with kscrubd, {shares[0]:.1%} without")


def check(tally: Tally, run: runs.Run, seconds: int) -> None:
    """KUnit, then verify with load beside it for so long, and where most memory is CMA's; and that what cannot be together is refused."""
    image = kernel.image(smp=True, more=CONFIG) / "Image"
    for harts in HARTS:
        text = _run(run.part(f"verify-{harts}"), image, f"stress {seconds} {tally.seed % 1_000_000}", seconds, harts=harts)
        _units(tally, text, f"stress, {harts} harts")
        tally.tap(text, f"stress: verify for {seconds} s, {harts} harts", 0)
        _ended(tally, text, f"stress, {harts} harts")
    _contiguous(tally, run, image)

    text = _run(run.part("cma"), image, f"echo 5 > /proc/sys/vm/scrub_start; sleep 5; {CMA_USE}; stress {CMA_SECONDS} {tally.seed % 1_000_000}",
                CMA_SECONDS, f"cma={CMA_MIB}M", 2 * MEMORY_MIB)
    free = [int(kib) >> 10 for kib in re.findall(r"^CmaFree: *(\d+) kB", text, re.M)]
    tally.add(len(free) == 2 and free[0] - free[1] > 12, f"stress with CMA: where over half of what is free is CMA's, 16 MiB come from there; MiB free: {free}")
    tally.tap(text, f"stress with CMA: verify for {CMA_SECONDS} s on four harts", 0)
    _ended(tally, text, "stress with CMA")

    text = _run(run.part("page_poison"), image, "echo 5 > /proc/sys/vm/scrub_start; cat /proc/sys/vm/scrub_start", 1, "page_poison=1")
    tally.add(re.search("^0\r?$", text, re.M) is not None, "stress: with page_poison zeroing ahead of need is refused")
    _ended(tally, text, "stress with page_poison")


def by_itself(seconds: int, seed: int) -> None:
    """With a verdict."""
    tally = Tally(seed)
    print(f"seed {seed} (make stress SEED={seed} repeats it)")
    run = runs.new("stress", provenance.repository(), {"seed": seed, "seconds": seconds})
    check(tally, run, seconds)
    _fragmented(tally, run, seconds)
    _parts(tally, run)
    tally.verdict(run.home)
