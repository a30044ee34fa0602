# SPDX-License-Identifier: BSD-3-Clause
"""`make chipyard-faults SIM=SIMULATOR`: Linux's fault rates on a simulator of the user's Chipyard, one run for each mode, side by side.

Nothing is saved there: each run boots Linux.
"""

import os

from .. import processes, ui
from ..building import tools
from ..config import Config
from ..results import report
from ..running import linux, provenance, runs
from . import chipyard

CASES = "-r 1 -s 256 -c 4:1 -c 4:64 -c 16:1 -c 64:1 -c 2048:1"
RAM = 40  # MiB


def measure() -> None:
    """A result file of every mode, or of those that MODES names; the table."""
    on, config = chipyard.target(), Config.from_environment()
    modes = (os.environ.get("MODES") or ",".join(report.MODES)).split(",")
    if not set(modes) <= set(report.MODES):
        raise ui.Error(f"MODES={','.join(modes)}: must be some of {','.join(report.MODES)}")
    home = runs.new(f"faults-{on.name}", provenance.repository(), {**provenance.chipyard(on.root, on.config, on.flags), "ram_mib": RAM})
    programs = {mode: linux.elf(config, f"pft {CASES} -m {mode}", RAM) for mode in modes}

    def one(mode: str) -> list:
        what, console = f"{on.name}: {mode}", home.part(mode).console
        with ui.phase(what, "20 minutes"):
            chipyard.run(on.command(programs[mode]), what, console)
        code = linux.exit_code(what, console)
        if code != 0:
            raise ui.Error(f"{what} ended with exit code {code}; console: {console}")
        return linux.records(console)

    with processes.pool(tools.jobs()) as submit:
        tasks = [submit(one, mode) for mode in modes]
    records = [record for task in tasks for record in task.result()]
    print(f"\nPage faults a millisecond at 100 MHz, and the ratio to stock:\n\n{report.terminal(report.collect(records))}\n\nresults: {home.keep(records)}")
