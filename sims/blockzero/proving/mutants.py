# SPDX-License-Identifier: BSD-3-Clause
"""Engines with one line changed. Each must break a promise within a few cycles after reset; else the proofs prove nothing."""

import re
from collections.abc import Callable

from .. import ui

# By what is wrong: (pattern in Chisel's Verilog, what to put there).
MUTANTS = {
    "the guard looks at the first block of a job only": (r"(io_window_limit_0 >= )last;", r"\1io_first_0;"),
    "the guard overlooks a job's own code": (r"(verdict = )_verdict_T \? job_code : (_verdict_T_\w+;)", r"\1\2"),
    "the active job goes on when windows change": (r"pending <= io_changes_0 \? [^;]*? : (_GEN_\w+;)", r"pending <= \1"),
    "the window on show stays when windows change": (r"(valid <= )~changes & ", r"\1"),
    "the lock is ignored for LIMIT": (r"(table_io_limit_valid =\s*)~locked & ", r"\1"),
    "slot 0 is given though in flight": (r"(free = ~busy);", r"\1 | 1'b1;"),
    "an answer goes to the next job": (r"(io_answer_bits_job_0 = answered_job);", r"\1 + 1'b1;"),
    "a job does not wait for its answers": (r"(drained = )[^;]*;", r"\g<1>1'b1;"),
    "an aborted job does not wait for its answers": (r"(drained = )", r"\1closing_code == 4'h6 | "),
    "ABORT does not stop the active job": (r"& ~io_abort_0 (& ~io_hang_0;)", r"\1"),
    "a full queue takes a job": (r"(accepts = ~aborting) & [^;]*;", r"\1;"),
    "a SUBMIT is lost in the cycle of a completion": (r"held <= held \+ (\w+) - \{[^}]*\};", r"held <= io_finished_valid_0 ? held - 1'b1 : held + \1;"),
    "RATE is a cycle short": (r"(waits_0 <= holdOff_0 != 16'h)1;", r"\g<1>2;"),
    "an interrupt is raised though not enabled": (r"(io_pending_REG <= )io_enable_0 & ", r"\1"),
    "DECERR is taken for OKAY": (r"(bad = io_answer_valid_0 & )\(\|io_answer_bits_code_0\);", r"\1io_answer_bits_code_0 == 4'h4;"),
}
QUICK = ("the guard looks at the first block of a job only", "the lock is ignored for LIMIT", "slot 0 is given though in flight",
         "an aborted job does not wait for its answers")


def change(name: str) -> Callable:
    """What makes the mutant of Verilog; an Error unless it changes one line."""
    pattern, by = MUTANTS[name]

    def changed(text: str) -> str:
        result, number = re.subn(pattern, by, text)
        if number != 1:
            raise ui.Error(f"mutant '{name}': {number} lines of the engine match {pattern}, not 1")
        return result
    return changed
