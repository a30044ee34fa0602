# SPDX-License-Identifier: BSD-3-Clause
"""What joins the tile to Rocket's ports, in Migen's simulator: random traffic, every access accounted for, every channel stable."""

import random
import unittest

from migen.sim import passive, run_simulation

from blockzero_litex.tile import FrontPort, RegisterSplit
from litex.soc.interconnect.axi import AXIInterface

ORIGIN = 0x1300_0000


def bus(id_width: int) -> AXIInterface:
    return AXIInterface(data_width=64, address_width=32, id_width=id_width)


def fired(channel):
    return (yield channel.valid) and (yield channel.ready)


def send(channel, **fields):
    """Offers a transfer until it is taken."""
    for name, value in fields.items():
        yield getattr(channel, name).eq(value)
    yield channel.valid.eq(1)
    yield
    while not (yield channel.ready):
        yield
    yield channel.valid.eq(0)


def pause(chance: random.Random, most: int):
    for _ in range(chance.randrange(most)):
        yield


class Front(unittest.TestCase):
    """A tile that writes blocks and a DMA bus that writes words share the front port."""

    BLOCKS, WORDS = 40, 25

    def traffic(self, seed: int) -> tuple:
        chance = random.Random(seed)
        tile, other, port = bus(8), bus(4), bus(8)
        offered, seen, answered = [0], [], []

        def addresses():
            for n in range(self.BLOCKS):
                offered[0] = n + 1
                yield from send(tile.aw, addr=0x8000_0000 + 64 * n, len=7, id=n % 16)
                yield from pause(chance, 8)
            for _ in range(600):
                yield

        @passive
        def data():
            n = 0
            while True:
                if n == offered[0]:
                    yield
                    continue
                for beat in range(8):
                    yield from send(tile.w, data=8 * n + beat, last=beat == 7)
                n += 1

        def words():
            yield other.b.ready.eq(1)
            for n in range(self.WORDS):
                yield from pause(chance, 20)
                yield from send(other.aw, addr=0x1000 + 8 * n)
                yield from pause(chance, 4)
                yield from send(other.w, data=0xf000 + n, last=1)
                while not (yield other.b.valid):
                    yield

        @passive
        def memory():
            addresses, bursts, burst, before = [], [], [], None
            yield tile.b.ready.eq(1)
            while True:
                yield port.aw.ready.eq(chance.random() < 0.6)
                yield port.w.ready.eq(chance.random() < 0.8)
                if answered and not (yield port.b.valid):
                    yield port.b.id.eq(answered.pop(0))
                    yield port.b.valid.eq(1)
                else:
                    yield port.b.valid.eq(0)
                yield
                now = (yield port.aw.addr), (yield port.aw.id), (yield port.aw.len)
                if before:
                    self.assertTrue((yield port.aw.valid) and now == before, "an address that was offered changed")
                before = now if (yield port.aw.valid) and not (yield port.aw.ready) else None
                if (yield from fired(port.aw)):
                    addresses.append(now)
                if (yield from fired(port.w)):
                    burst.append((yield port.w.data))
                    if (yield port.w.last):
                        bursts.append(burst)
                        burst = []
                while addresses and bursts:
                    seen.append((addresses.pop(0), bursts.pop(0)))
                    answered.append(seen[-1][0][1])
        run_simulation(FrontPort(tile, other, port), [addresses(), data(), words(), memory()])
        mine = [write for write in seen if write[0][1] != FrontPort.OTHER]
        return mine, [write for write in seen if write[0][1] == FrontPort.OTHER]

    def test_every_write_arrives_whole_and_in_order(self):
        for seed in range(4):
            blocks, words = self.traffic(seed)
            self.assertEqual(blocks, [((0x8000_0000 + 64 * n, n % 16, 7), list(range(8 * n, 8 * n + 8))) for n in range(self.BLOCKS)])
            self.assertEqual(words, [((0x1000 + 8 * n, FrontPort.OTHER, 0), [0xf000 + n]) for n in range(self.WORDS)])


class Registers(unittest.TestCase):
    """Two subordinates that remember what they were written, one of which takes an address before its data, one both at once."""

    def test_every_access_goes_where_its_address_says(self):
        for seed in range(4):
            self.accesses(random.Random(seed))

    def accesses(self, chance: random.Random) -> None:
        manager, inside, outside = bus(4), bus(4), bus(4)
        wanted = [(ORIGIN if chance.random() < 0.5 else 0x1200_0000) + 8 * n for n in range(60)]
        got, reads, answers = {inside: [], outside: []}, [], []

        def write_addresses():
            for n, address in enumerate(wanted):
                yield from send(manager.aw, addr=address, id=n % 16)
                yield from pause(chance, 3)

        def write_data():
            for address in wanted:
                yield from pause(chance, 4)
                yield from send(manager.w, data=address, strb=0xff, last=1)

        def write_answers():
            while len(answers) < len(wanted):
                yield manager.b.ready.eq(chance.random() < 0.5)
                yield
                if (yield from fired(manager.b)):
                    answers.append((yield manager.b.id))

        def read_addresses():
            for n, address in enumerate(wanted):
                yield from send(manager.ar, addr=address, id=n % 16)

        def read_answers():
            while len(reads) < len(wanted):
                yield manager.r.ready.eq(chance.random() < 0.5)
                yield
                if (yield from fired(manager.r)):
                    reads.append(((yield manager.r.id), (yield manager.r.data)))

        @passive
        def writes(port, both_at_once):
            while True:
                while not ((yield port.aw.valid) and ((yield port.w.valid) or not both_at_once)):
                    yield
                address, number = (yield port.aw.addr), (yield port.aw.id)
                yield port.aw.ready.eq(1)
                if both_at_once:
                    yield port.w.ready.eq(1)
                    data = yield port.w.data
                    yield
                    yield port.aw.ready.eq(0)
                    yield port.w.ready.eq(0)
                else:
                    yield
                    yield port.aw.ready.eq(0)
                    yield port.w.ready.eq(1)
                    yield
                    while not (yield port.w.valid):
                        yield
                    data = yield port.w.data
                    yield port.w.ready.eq(0)
                got[port].append((address, data))
                yield from pause(chance, 4)
                yield from send(port.b, id=number)

        @passive
        def answer_reads(port):
            while True:
                yield port.ar.ready.eq(1)
                yield
                if not (yield port.ar.valid):
                    continue
                address, number = (yield port.ar.addr), (yield port.ar.id)
                yield port.ar.ready.eq(0)
                yield from pause(chance, 4)
                yield from send(port.r, id=number, data=address, last=1)
        run_simulation(RegisterSplit(manager, inside, outside, ORIGIN), [
            write_addresses(), write_data(), write_answers(), read_addresses(), read_answers(), writes(inside, True), writes(outside, False),
            answer_reads(inside), answer_reads(outside)])
        for port, base in ((inside, ORIGIN), (outside, 0x1200_0000)):
            self.assertEqual(got[port], [(address, address) for address in wanted if address >> 16 == base >> 16])
        self.assertEqual(answers, [n % 16 for n in range(len(wanted))])
        self.assertEqual(reads, [(n % 16, address) for n, address in enumerate(wanted)])


if __name__ == "__main__":
    unittest.main()
