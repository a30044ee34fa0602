# SPDX-License-Identifier: BSD-3-Clause
"""The tile, and what joins it to Rocket's two AXI4 ports."""

import re
from pathlib import Path

from migen import ClockSignal, If, Instance, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect.axi import AXIInterface

TOP = "BlockZeroTile"
SIZE = 0x1_0000  # bytes of registers: a page for the engine, and one for each of up to 15 channels
_ADDRESS = ("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos")
_REQUESTS = {"aw": _ADDRESS, "w": ("data", "strb", "last"), "ar": _ADDRESS}
_RESPONSES = {"b": ("id", "resp"), "r": ("id", "data", "resp", "last")}


def instance_ports(name: str, bus: AXIInterface, manager: bool, channels: tuple = ("aw", "w", "b", "ar", "r")) -> dict:
    """Arguments of an Instance whose AXI4 port has Chisel's names, such as NAME_aw_bits_addr; `manager` says whether it asks or answers."""
    found = {}
    for channel in channels:
        out = manager == (channel in _REQUESTS)
        to, back = ("o", "i") if out else ("i", "o")
        signals = getattr(bus, channel)
        found[f"{to}_{name}_{channel}_valid"] = signals.valid
        found[f"{back}_{name}_{channel}_ready"] = signals.ready
        for field in {**_REQUESTS, **_RESPONSES}[channel]:
            found[f"{to}_{name}_{channel}_bits_{field}"] = getattr(signals, field)
    return found


def modules(verilog: Path) -> set:
    """Names of the modules in a file."""
    return set(re.findall(r"^module (\w+)", Path(verilog).read_text(), re.M))


class Tile(LiteXModule):
    """The tile of a Tile.sv, as EmitTile writes it: `regs` is its register port, `dma` the port it writes blocks by, `irq` has a level a channel."""

    def __init__(self, platform, verilog: Path):
        text = Path(verilog).read_text()
        head = re.search(rf"^module {TOP}\((.*?)\);", text, re.M | re.S)
        if not head:
            raise ValueError(f"{verilog} has no module {TOP}: is it what EmitTile wrote?")
        channels = len(re.findall(r"\birq_\d+", head[1]))
        self.regs = AXIInterface(data_width=64, address_width=31, id_width=4)
        self.dma = AXIInterface(data_width=64, address_width=32, id_width=8)
        self.irq = Signal(channels)
        self.specials += Instance(
            TOP, name="blockzero",
            i_clock=ClockSignal("sys"), i_reset=ResetSignal("sys"),
            **instance_ports("regs", self.regs, manager=False),
            **instance_ports("dma", self.dma, manager=True, channels=("aw", "w", "b")),
            **{f"o_irq_{c}": self.irq[c] for c in range(channels)})
        platform.add_source(str(verilog))


class RegisterSplit(LiteXModule):
    """Routes a manager's accesses to `inside` a region or `outside` it, by address.

    One write and one read at a time go on; the others wait. So responses need no order between the two, whatever IDs they have.
    """

    def __init__(self, manager: AXIInterface, inside: AXIInterface, outside: AXIInterface, origin: int):
        bits = (SIZE - 1).bit_length()
        outs = (outside, inside)

        def route(address, closes):
            """(to the inside, the address has been sent)."""
            now, held, sent = Signal(), Signal(), Signal()
            self.comb += now.eq(address.addr[bits:31] == origin >> bits)
            self.sync += [
                If(address.valid & address.ready, sent.eq(1), held.eq(now)),
                If(closes, sent.eq(0)),
            ]
            to = Signal()
            self.comb += to.eq((sent & held) | (~sent & now))
            return to, sent

        def request(channel, to, may):
            """Offers a channel of requests to one of the two, when it may."""
            source = getattr(manager, channel)
            sinks = [getattr(out, channel) for out in outs]
            for sink, mine in zip(sinks, (~to, to)):
                self.comb += [*source.connect(sink, omit={"valid", "ready"}), sink.valid.eq(source.valid & may & mine)]
            self.comb += source.ready.eq(may & ((to & sinks[1].ready) | (~to & sinks[0].ready)))

        def response(channel, to, may):
            sink = getattr(manager, channel)
            sources = [getattr(out, channel) for out in outs]
            for source, mine in zip(sources, (~to, to)):
                self.comb += [source.ready.eq(sink.ready & may & mine),
                              If(mine, *source.connect(sink, omit={"valid", "ready"}), sink.valid.eq(source.valid & may))]

        written = manager.b.valid & manager.b.ready
        to, sent = route(manager.aw, written)
        data_sent = Signal()
        self.sync += [If(manager.w.valid & manager.w.ready & manager.w.last, data_sent.eq(1)), If(written, data_sent.eq(0))]
        request("aw", to, ~sent)
        request("w", to, (manager.aw.valid | sent) & ~data_sent)
        response("b", to, sent)

        to, sent = route(manager.ar, manager.r.valid & manager.r.ready & manager.r.last)
        request("ar", to, ~sent)
        response("r", to, sent)


class FrontPort(LiteXModule):
    """Lets the tile and LiteX's DMA bus write by one port. Reads are the DMA bus's alone.

    The tile has the port until the other asks. That waits for the bursts which the tile has begun, and gets one in: it has
    single beats, one at a time, so it slows nobody down, and is never kept from the port.
    """

    OTHER = 0x80  # ID of the DMA bus; the tile's are below

    def __init__(self, tile: AXIInterface, other: AXIInterface, port: AXIInterface):
        turn = Signal()  # of the other
        begun = Signal(8)  # bursts of the tile whose address was taken, less those whose last beat was
        address_sent, data_sent = Signal(), Signal()  # in the other's turn
        taken, ended = Signal(), Signal()
        granted = Signal()
        self.comb += [
            taken.eq(tile.aw.valid & tile.aw.ready),
            ended.eq(tile.w.valid & tile.w.ready & tile.w.last),
            granted.eq(turn & (begun == 0)),
            # Requests.
            If(turn,
                *other.aw.connect(port.aw, omit={"valid", "ready"}),
                port.aw.id.eq(self.OTHER),
                port.aw.valid.eq(other.aw.valid & granted & ~address_sent),
                other.aw.ready.eq(port.aw.ready & granted & ~address_sent),
            ).Else(
                *tile.aw.connect(port.aw),
            ),
            If(granted,
                *other.w.connect(port.w, omit={"valid", "ready"}),
                port.w.valid.eq(other.w.valid & ~data_sent),
                other.w.ready.eq(port.w.ready & ~data_sent),
            ).Else(
                *tile.w.connect(port.w),
            ),
            # Responses.
            If(port.b.id[7], *port.b.connect(other.b)).Else(*port.b.connect(tile.b)),
            *other.ar.connect(port.ar),
            *port.r.connect(other.r),
        ]
        over = Signal()
        self.comb += over.eq((address_sent | (other.aw.valid & other.aw.ready)) & (data_sent | (other.w.valid & other.w.ready & other.w.last)))
        self.sync += [
            begun.eq(begun + taken - ended),
            # An address that was offered stays until it is taken.
            If(~turn & other.aw.valid & (taken | ~tile.aw.valid), turn.eq(1)),
            If(granted,
                If(other.aw.valid & other.aw.ready, address_sent.eq(1)),
                If(other.w.valid & other.w.ready & other.w.last, data_sent.eq(1)),
                If(over, turn.eq(0), address_sent.eq(0), data_sent.eq(0)),
            ),
        ]
