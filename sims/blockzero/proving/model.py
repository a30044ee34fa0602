# SPDX-License-Identifier: BSD-3-Clause
"""The engine and its promises as one model for a solver: Chisel's Verilog, wired to hardware/formal by names, through Yosys."""

import re
from pathlib import Path

from .. import ui
from ..building import cache, fpga
from ..building.fpga import Tile
from ..paths import HARDWARE

FORMAL = HARDWARE / "formal"
SOURCES = ("ChannelProof.sv", "EngineProof.sv", "InterruptProof.sv", "PaceProof.sv")
SCRIPT = ("hierarchy -top Prove; proc; memory_collect; memory_map; flatten; "
          "select -assert-none a:hierconn; opt -full; async2sync; dffunmap; chformal -lower; opt_clean; write_smt2 -stbv Prove.smt2")
ASSERT = r'\s*assert__\w+:\s*assert\((.*?)\)\s*else \$error\("Assertion failed: (.*?)(?:\\n)?"\);\n'
COVER = r"\s*cover__\w+: cover\(.*?\);\n"
BLOCK = re.compile(rf"^    if \(~reset\)(?: begin\n((?:{ASSERT}|{COVER})+)    end\n|((?:{ASSERT}|{COVER})))".replace("(.*?)", ".*?"), re.M | re.S)


def immediate(text: str) -> str:
    """Verilog as Yosys takes it: assertions in blocks of their own, combinational, without what they print."""
    def apart(match: re.Match) -> str:
        lines = "".join(f"    if (~reset) assert({' '.join(what.split())});  // CHISEL {why}\n" for what, why in re.findall(ASSERT, match[0], re.S))
        return f"  end\n  always @* begin\n{lines}  end\n  always @(posedge clock) begin\n"
    result = BLOCK.sub(apart, text)
    written, understood = (len(re.findall(pattern, each)) for pattern, each in ((r"\bassert\(", text), (r"\(~reset\) assert\(", result)))
    if written != understood or "$error" in result or "cover(" in result:
        raise ui.Error(f"firtool wrote {written} assertions, of which {understood} are understood")
    return result


class Wires:
    """Wires inside the engine, by their names in Chisel's Verilog."""

    def __init__(self, text: str):
        self.modules = {name: body for name, body in re.findall(r"^module (\w+)\((.*?)^endmodule", text, re.M | re.S)}
        self.found = {}

    def module(self, path: str) -> str:
        """The module of an instance inside Engine."""
        module = "Engine"
        for instance in path.split(".") if path else []:
            match = re.search(rf"^  (\w+) {instance} \($", self.modules[module], re.M)
            if not match:
                raise ui.Error(f"{module} has no instance {instance}: hardware/formal reads wires inside it")
            module = match[1]
        return module

    def wire(self, path: str, name: str) -> str:
        """A wire's value."""
        module = self.module(path)
        match = re.search(rf"^  (?:reg|wire|input|output)\s+(?:\[(\d+):0\]\s*)?{re.escape(name)}\b(?!\[)", self.modules[module], re.M)
        if not match:
            raise ui.Error(f"{module} has no wire {name}, which hardware/formal reads")
        return self._name(path, name, int(match[1] or 0) + 1)

    def vector(self, path: str, name: str, number: int) -> str:
        """The wires name_0, name_1 ... as one, the first lowest; `{}` in the name stands for the number."""
        names = [name.format(i) if "{}" in name else f"{name}_{i}" for i in range(number)]
        return self.joined(self.wire(path, each) for each in names)

    def memory(self, path: str, number: int) -> str:
        """The words of a Table."""
        module = self.module(path)
        match = re.search(r"^  reg (?:\[(\d+):0\] )?Memory\[0:(\d+)\];", self.modules[module], re.M)
        if not match or int(match[2]) + 1 < number:
            raise ui.Error(f"{module} has no memory of {number} words, which hardware/formal reads")
        return self.joined(self._name(path, f"Memory[{i}]", int(match[1] or 0) + 1) for i in range(number))

    @staticmethod
    def joined(values) -> str:
        return "{" + ", ".join(reversed(list(values))) + "}"

    def _name(self, path: str, name: str, width: int) -> str:
        self.found[full := f"\\engine.{path + '.' if path else ''}{name} "] = width
        return full

    def declarations(self) -> str:
        return "".join(f"  (* hierconn *) wire [{width - 1}:0] {name};\n" for name, width in self.found.items())


def _log2(number: int) -> int:
    """Bits for so many values, as Chisel's log2Ceil."""
    return (number - 1).bit_length()


def _channels(wires: Wires, tile: Tile) -> dict:
    """{port of ChannelProof: [its value in each channel]}."""
    queue = {name: name for name in ("tail", "look", "held", "queued", "active", "place", "block", "last", "fill", "pending", "code", "stopped", "sent",
                                     "left", "passed", "changed", "fails")}
    queue |= {"block_valid": "io_blocks_valid_0", "block_ready": "io_blocks_ready_0", "block_bits": "io_blocks_bits_block_0", "fill_bits": "io_blocks_bits_fill_0",
              "answer_valid": "io_answer_valid_0", "answer_job": "io_answer_bits_job_0", "answer_code": "io_answer_bits_code_0", "changes": "io_changes_0",
              "finished": "io_finished_valid_0", "finished_code": "io_finished_bits_code_0", "finished_where": "io_finished_bits_where_0"}
    ports: dict = {}
    for c in range(tile.channels):
        channel = f"channels_{c}"
        jobs, ledger = f"{channel}.jobs", f"{channel}.jobs.ledger"
        mine = {port: wires.wire(jobs, name) for port, name in queue.items()}
        mine |= {name: wires.wire(channel, name) for name in ("aborting", "dropped", "count")}
        mine["filler_kept"] = wires.wire(channel, "fill")
        mine |= {name: wires.wire(ledger, name) for name in ("head", "closed")}
        mine["flying"] = wires.vector(jobs, "flying", tile.queue)
        mine["jobs"] = wires.memory(f"{jobs}.words_ext", tile.queue)
        for port, table in {"words": "words_ext", "answers": "words_1_ext", "closings": "words_2_ext", "faults": "words_3_ext"}.items():
            mine[port] = wires.memory(f"{ledger}.{table}", tile.queue)
        for port, value in mine.items():
            ports.setdefault(port, []).append(value)
    return ports


def _interrupt(wires: Wires, c: int) -> dict:
    """The ports of InterruptProof that lead into the engine."""
    path = f"channels_{c}.interrupt"
    own = {"pending": "io_pending_0", "ack": "io_ack_0", "enable": "io_enable_0", "threshold": "io_threshold_0", "timeout": "io_timeout_0", "age": "age", "count": "io_count_0"}
    return {port: wires.wire(path, name) for port, name in own.items()} | {
        "no_irq": wires.wire("globalPage", "io_test_noIrq_0"), "spurious": wires.wire("globalPage", "io_test_spurious_0")}


def _pace(wires: Wires, c: int) -> dict:
    """The ports of PaceProof that lead into the engine."""
    return {"waits": wires.wire("scheduler", f"waits_{c}"), "hold_off": wires.wire("scheduler", f"holdOff_{c}"), "rate": wires.wire(f"channels_{c}", "rate")}


def _engine(wires: Wires, tile: Tile) -> dict:
    """{port of EngineProof: its value}."""
    table = "globalPage.table_0"
    ports = {"refuse": wires.wire("globalPage", "io_test_refuse_0"), "locked": wires.wire("globalPage", "locked"), "read_before": wires.wire("", "readBefore"),
             "enabled": wires.vector(table, "enabled", tile.windows), "has_base": wires.vector(table, "hasBase", tile.windows),
             "has_limit": wires.vector(table, "hasLimit", tile.windows), "bases": wires.memory(f"{table}.words_ext", max(2, tile.windows)),
             "limits": wires.memory(f"{table}.words_1_ext", max(2, tile.windows)), "turn": wires.wire(table, "turn"),
             "busy": wires.wire("tracker", "busy"), "owners": wires.memory("tracker.words_ext", tile.inflight),
             "answer_valid": wires.wire("tracker", "io_answer_valid_0"), "answer_slot": wires.wire("tracker", "response_slot"),
             "answer_code": wires.wire("tracker", "response_code"), "answer_channel": wires.wire("tracker", "io_channel_0"),
             "answer_block": wires.wire("tracker", "io_answer_bits_block_0"), "answer_job": wires.wire("tracker", "io_answer_bits_job_0"),
             "counter_turn": wires.wire("counters", "turn"), "counter_updated": wires.wire("counters", "updated"), "counter_old": wires.wire("counters", "old"),
             "counter_more": wires.wire("counters", "more"), "counters_going": wires.wire("counters", "going"),
             "sums": wires.memory("counters.words_ext", 8 * tile.channels)}
    for port, name in {"inforce_base": "inForce_{}_base", "inforce_limit": "inForce_{}_limit", "inforce_enable": "inForce_{}_enable"}.items():
        ports[port] = wires.vector(table, name, tile.windows)
    for name in ("known", "plain", "recent"):
        ports[name] = wires.vector("counters", name, 8 * tile.channels)
    return ports


def harness(text: str, tile: Tile) -> str:
    """The top module: the engine with all inputs free, and the proofs with wires into it."""
    wires = Wires(text)
    channels, engine = _channels(wires, tile), _engine(wires, tile)
    block, job, slot, sent = tile.address_bits - 6, _log2(tile.queue), max(1, _log2(tile.inflight)), _log2(tile.inflight + 1)
    parameters = {"C": tile.channels, "D": tile.queue, "S": tile.inflight, "W": tile.windows, "B": block, "J": job, "Q": sent,
                  "K": max(1, _log2(tile.channels)), "L": slot, "X": _log2(8 * tile.channels), "V": max(1, _log2(tile.windows))}
    inputs = {"registers_write_valid": 1, "registers_write_bits_address": 16, "registers_write_bits_data": 64, "registers_write_bits_mask": 8,
              "registers_read_valid": 1, "registers_read_bits": 16, "block_ready": 1, "response_valid": 1, "response_bits_slot": slot, "response_bits_code": 4}
    engine |= {"write_valid": "registers_write_valid", "write_address": "registers_write_bits_address", "write_data": "registers_write_bits_data",
               "write_mask": "registers_write_bits_mask", "read_valid": "registers_read_valid", "block_valid": "block_valid", "block_ready": "block_ready",
               "block": "block", "slot": "slot", "response_valid": "response_valid", "response_slot": "response_bits_slot", "response_code": "response_bits_code",
               "issue": wires.joined(f"{valid} & {ready}" for valid, ready in zip(channels["block_valid"], channels["block_ready"])),
               "issue_place": wires.joined(channels["place"]), "channel_answer": wires.joined(channels["answer_valid"])}
    engine |= {name: name for name in ("page_write", "register", "ready", "submit", "filling", "base", "limit", "enable", "owned")}
    proofs = []
    for c in range(tile.channels):
        mine = {port: values[c] for port, values in channels.items()}
        mine |= {"submit": f"submit[{c}]", "data": "registers_write_bits_data", "filling": f"filling[{8 * c} +: 8]", "refuse": engine["refuse"],
                 "base": "base", "limit": "limit", "enable": "enable", "owned": f"owned[{c * tile.queue * sent} +: {tile.queue * sent}]"}
        own = ", ".join(f".{name}({parameters[name]})" for name in "DWBQ")
        store = {"page_write": f"page_write[{c}]", "register": "register", "data": "registers_write_bits_data"}
        issue = f"{mine['block_valid']} & {mine['block_ready']}"
        proofs.append(f"  InterruptProof interrupt_{c}(.clock(clock), .reset(reset), .irq(irq[{c}]), {_pins(store | _interrupt(wires, c))});\n")
        proofs.append(f"  PaceProof pace_{c}(.clock(clock), .reset(reset), .block_valid({mine['block_valid']}), .issue({issue}), .ready(ready[{c}]), "
                      f"{_pins(store | _pace(wires, c))});\n")
        proofs.append(f"  ChannelProof #({own}) channel_{c}(.clock(clock), .reset(reset), {_pins(mine)});\n")
    widths = {"page_write": tile.channels, "register": 9, "ready": tile.channels, "irq": tile.channels, "submit": tile.channels, "filling": 8 * tile.channels, "base": 58 * tile.windows, "limit": 58 * tile.windows, "enable": tile.windows,
              "owned": tile.channels * tile.queue * sent, "block_valid": 1, "block": block, "slot": slot}
    return ("module Prove(input clock, input reset" + "".join(f", input [{width - 1}:0] {name}" for name, width in inputs.items()) + ");\n"
            + wires.declarations() + "".join(f"  wire [{width - 1}:0] {name};\n" for name, width in widths.items())
            + f"  Engine engine(.clock(clock), .reset(reset), {_pins({'io_' + name: name for name in inputs})}, "
              f"{_pins({f'io_irq_{c}': f'irq[{c}]' for c in range(tile.channels)})}, .io_block_valid(block_valid), .io_block_bits_block(block), .io_block_bits_slot(slot));\n"
            + f"  EngineProof #({', '.join(f'.{name}({value})' for name, value in parameters.items())}) whole(.clock(clock), .reset(reset), {_pins(engine)});\n"
            + "".join(proofs) + "endmodule\n")


def _pins(ports: dict) -> str:
    return ", ".join(f".{port}({value})" for port, value in ports.items())


def _smt2(files: dict, title: str) -> Path:
    """The directory with Prove.smt2, and the files that its assertions name: {name: text}."""
    script = f"read_verilog -formal -sv {' '.join(files)}; {SCRIPT}"

    def make(partial: Path, log: Path) -> None:
        for name, text in files.items():
            (partial / name).write_text(text)
        fpga.yosys(script, partial, log)
    return cache.build("proof-model", [fpga.REQUIREMENTS, *files.values(), script], make, f"proofs: Yosys, {title}", "20 seconds")


def build(tile: Tile, change=None) -> Path:
    """The model of an engine; `change` makes a mutant of its Verilog."""
    text = (fpga.verilog(tile, "proof") / "Tile.sv").read_text()
    engine = immediate(change(text) if change else text)
    return _smt2({"Tile.sv": engine, **{name: (FORMAL / name).read_text() for name in SOURCES}, "Prove.sv": harness(text, tile)}, str(tile))


def part(name: str, change=None) -> Path:
    """The model of what stands between harts, engine and memory: a part with its promises of hardware/formal/parts."""
    text = (fpga.between() / f"{name}.sv").read_text()
    return _smt2({"Part.sv": immediate(change(text) if change else text), **{each: (FORMAL / "parts" / f"{file}.sv").read_text()
                  for each, file in (("Kept.sv", "Kept"), ("Prove.sv", name))}}, name)
