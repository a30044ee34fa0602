# SPDX-License-Identifier: BSD-3-Clause
"""The device tree, made from soc.json and the run's choices."""

from .. import ui

_HEAD = """/dts-v1/;
/memreserve/ {ram_base:#x} {firmware_size:#x};
/ {{
    #address-cells = <1>;
    #size-cells = <1>;
    compatible = "blockzero,standalone-soc";
    model = "BlockZero stand-alone SoC";
    chosen {{
        bootargs = "{bootargs}";
        stdout-path = &uart;
        linux,initrd-start = <{initrd_start:#x}>;
        linux,initrd-end = <{initrd_end:#x}>;
        rng-seed = /bits/ 64 <{rng_seed}>;
    }};
    memory@{ram_base:x} {{
        device_type = "memory";
        reg = <{ram_base:#x} {ram_size:#x}>;
    }};
    cpus {{
        #address-cells = <1>;
        #size-cells = <0>;
        timebase-frequency = <{timebase}>;
{cpus}
    }};
    soc {{
        #address-cells = <1>;
        #size-cells = <1>;
        compatible = "simple-bus";
        interrupt-parent = <&plic>;
        ranges;
        clint@{clint_base:x} {{
            compatible = "riscv,clint0";
            reg = <{clint_base:#x} {clint_size:#x}>;
            interrupts-extended = <{clint_interrupts}>;
        }};
        plic: interrupt-controller@{plic_base:x} {{
            compatible = "riscv,plic0";
            reg = <{plic_base:#x} {plic_size:#x}>;
            interrupt-controller;
            #interrupt-cells = <1>;
            interrupts-extended = <{plic_interrupts}>;
            riscv,ndev = <8>;
        }};
        uart: serial@{uart_base:x} {{
            compatible = "ns16550a";
            reg = <{uart_base:#x} {uart_size:#x}>;
            interrupts = <{uart_irq}>;
            clock-frequency = <{clock}>;
            current-speed = <115200>;
        }};
        finisher: test@{finisher_base:x} {{
            compatible = "sifive,test1", "sifive,test0", "syscon";
            reg = <{finisher_base:#x} {finisher_size:#x}>;
        }};
{engine}    }};
    poweroff {{
        compatible = "syscon-poweroff";
        regmap = <&finisher>;
        offset = <0>;
        value = <0x5555>;
    }};
    reboot {{
        compatible = "syscon-reboot";
        regmap = <&finisher>;
        offset = <0>;
        value = <0x7777>;
    }};
}};
"""

_CPU = """        cpu@{n} {{
            device_type = "cpu";
            compatible = "sifive,rocket0", "riscv";
            reg = <{n}>;
            riscv,isa = "{isa}";
            mmu-type = "riscv,sv39";
            status = "okay";
            cpu{n}: interrupt-controller {{
                #interrupt-cells = <1>;
                compatible = "riscv,cpu-intc";
                interrupt-controller;
            }};
        }};"""

_ENGINE = """        blockzero@{base:x} {{
            compatible = "blockzero,engine-1.0";
            reg = <{base:#x} {size:#x}>;
            interrupts = <{interrupts}>;
        }};
"""

CLOCK_HZ = 100_000_000  # what a cycle is called in seconds: the clock the DRAM timing is given for


def source(soc: dict, ram_bytes: int, firmware_size: int, bootargs: str, initrd: tuple, engine: bool = True) -> str:
    """Device tree source.

    The kernel leaves the first `firmware_size` bytes of RAM alone: the engine must not write them, even where OpenSBI keeps less.
    `initrd` is (first byte, byte after the last); `engine=False` leaves BlockZero out.
    """
    harts = range(soc["harts"])
    if '"' in bootargs:
        raise ui.Error("a quote in the kernel's arguments")
    values = {f"{name}_{field}": region[field] for name, region in soc["regions"].items() for field in ("base", "size")}
    values.update(
        # The kernel trusts a boot loader's seed; without one its generator is slow. A simulation repeats itself anyway.
        rng_seed=" ".join(f"{0x9e3779b97f4a7c15 * n % 2**64:#x}" for n in range(1, 9)),
        bootargs=bootargs, initrd_start=initrd[0], initrd_end=initrd[1], ram_size=ram_bytes, firmware_size=firmware_size, clock=CLOCK_HZ,
        timebase=CLOCK_HZ // soc["cycles_per_tick"], uart_irq=soc["uart_irq"],
        cpus="\n".join(_CPU.format(n=n, isa=soc["isa"]) for n in harts),
        clint_interrupts=" ".join(f"&cpu{n} 3 &cpu{n} 7" for n in harts),
        plic_interrupts=" ".join(f"&cpu{n} 11 &cpu{n} 9" for n in harts),
        engine=_ENGINE.format(
            **soc["regions"]["engine"],
            interrupts=" ".join(str(soc["engine"]["irq"] + c) for c in range(soc["engine"]["channels"]))) if engine else "")
    return _HEAD.format(**values)
