# SPDX-License-Identifier: BSD-3-Clause
"""LiteX's Rocket with the tile beside it."""

from pathlib import Path

from migen import Cat

from litex import get_data_mod
from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect.axi import AXIInterface

from .tile import SIZE, FrontPort, RegisterSplit, Tile, instance_ports, modules

ORIGIN = 0x1300_0000
INTERRUPTS = 8  # of Rocket's PLIC; the tile has the last ones


def _published(variant: str) -> list:
    """Rocket's files in PyPI's package, where LiteX's own names are not found; none if they are, or if there is no such Rocket."""
    home = Path(get_data_mod("cpu", "rocket").data_location) / "generated-src"
    stem = "freechips.rocketchip.system."
    if (home / f"{stem}LitexConfig_{variant}_{Rocket.cpu_num_cores}_{Rocket.cpu_mem_width}.v").exists():
        return []
    kind = {"small": "", "linux": "Linux", "full": "Full"}.get(variant, variant)
    cores = {1: ""}.get(Rocket.cpu_num_cores, Rocket.cpu_num_cores)
    width = {1: "", 2: "D", 4: "Q"}.get(Rocket.cpu_mem_width, Rocket.cpu_mem_width)
    stem += f"Litex{kind}{cores}{width}Config"
    return [path for path in (home / f"{stem}.v", home / f"{stem}.behav_srams.v") if path.exists()]


class BlockZeroRocket(Rocket):
    """Rocket whose MMIO port has the tile's registers, and whose coherent front port the tile writes by."""

    __module__ = Rocket.__module__  # where LiteX looks for the CPU's headers
    io_regions = {0x1200_0000: 0x6e00_0000}  # MMIO ends where RAM begins
    tile = None  # path of Tile.sv

    @staticmethod
    def get_arch(variant):
        """The package's LitexLinux has no FPU."""
        return "rv64i2p0_mac" if variant == "linux" and _published(variant) else Rocket.get_arch(variant)

    @property
    def gcc_flags(self):
        return Rocket.gcc_flags.fget(self)

    @staticmethod
    def add_sources(platform, variant):
        files = _published(variant)
        if not files:
            Rocket.add_sources(platform, variant)
            return
        for path in files:
            platform.add_source(str(path))
        platform.add_sources(str(files[0].parents[1] / "vsrc"), "plusarg_reader.v", "AsyncResetReg.v", "EICG_wrapper.v")

    def __init__(self, platform, variant="linux"):
        super().__init__(platform, variant)
        twice = modules(self.tile) & {name for path, *_ in platform.sources for name in modules(path)}
        if twice:
            raise ValueError(f"{self.tile} and Rocket have modules of the same name: {', '.join(sorted(twice))}")
        self.blockzero = Tile(platform, self.tile)

        # Rocket's ports go to the tile and to what LiteX has joined to them.
        mmio = AXIInterface(data_width=64, address_width=31, id_width=4)
        front = AXIInterface(data_width=64, address_width=32, id_width=8)
        self.blockzero_split = RegisterSplit(mmio, self.blockzero.regs, self.mmio_axi, ORIGIN)
        self.blockzero_front = FrontPort(self.blockzero.dma, self.l2fb_axi, front)
        self.cpu_params.update(instance_ports("mmio_axi4_0", mmio, manager=True))
        self.cpu_params.update(instance_ports("l2_frontend_bus_axi4_0", front, manager=False))

        channels = len(self.blockzero.irq)
        self.first_interrupt = INTERRUPTS - channels
        self.interrupts = {f"blockzero{c}": self.first_interrupt + c for c in range(channels)}
        self.comb += Cat(*(self.interrupt[n] for n in self.interrupts.values())).eq(self.blockzero.irq)

    def add_soc_components(self, soc):
        checked, soc.bus.io_regions_check = soc.bus.io_regions_check, False  # the region that LiteX keeps for OpenSBI is uncached, in RAM
        super().add_soc_components(soc)
        soc.bus.io_regions_check = checked
        soc.bus.add_region("blockzero", SoCRegion(origin=ORIGIN, size=SIZE, cached=False))
        soc.add_constant("BLOCKZERO_INTERRUPT", self.first_interrupt)
        soc.add_constant("BLOCKZERO_CHANNELS", len(self.interrupts))
