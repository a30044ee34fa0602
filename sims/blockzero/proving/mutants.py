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


# Of what stands between harts, engine and memory: by part.
OF_PARTS = {
    "Axi4DmaAdapter": {
        "a burst is a beat short": (r"(lastBeat = )&beat;", r"\1beat == 3'h6;"),
        "a block is taken though its data has no place": (r"(io_block_ready_0 = _aw_io_enq_ready) & _w_io_enq_ready;", r"\1;"),
        "EXOKAY is taken for OKAY": (r"(4'h5 : \{1'h0, )\|(io_axi_b_bits_resp_0)(, 2'h0\};)", r"\1\2[1]\3"),
    },
    "Axi4RegisterAdapter": {
        "the first beat of a burst is stored": (r"(io_registers_write_valid_0 = writeFire) & single;", r"\1;"),
        "a burst is answered before its data is whole": (r"(_GEN = swallow & io_axi_w_valid_0) & io_axi_w_bits_last_0;", r"\1;"),
        "a register is read in each cycle": (r"(io_axi_ar_ready_0 = )~asked & (~rValid;)", r"\1\2"),
    },
    "MmioSplit": {
        "data passes after a write's own": (r"(sending = writing) & ~dataSent;", r"\1;"),
        "a read does not wait for the one before it": (r"(io_in_ar_ready_0 = )~reading;", r"\g<1>1'b1;"),
        "a region is twice as large": (r"(writeTo = address_addr\[30:)16\] == 15'h1300;", r"\g<1>17] == 14'h980;"),
    },
    "RelaxedFifo": {
        "a write does not wait for its source": (r"(_stall_T_2 = isWrite \? )_stall_T\[0\]", r"\g<1>1'b0"),
        "an acknowledgement comes between the beats of data": (r"(sendAck = .*) & dFirst & ~data;", r"\1 & ~data;"),
        "there is never a pause": (r"(stall = aFirst & \()pause \| ", r"\1"),
    },
}


def change(name: str, part: str = "") -> Callable:
    """What makes the mutant of Verilog; an Error unless it changes one line."""
    pattern, by = (OF_PARTS[part] if part else MUTANTS)[name]

    def changed(text: str) -> str:
        result, number = re.subn(pattern, by, text)
        if number != 1:
            raise ui.Error(f"mutant '{name}': {number} lines of {part or 'the engine'} match {pattern}, not 1")
        return result
    return changed
