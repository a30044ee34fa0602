# SPDX-License-Identifier: BSD-3-Clause
"""Device trees with an engine, against the binding in the series."""

import runpy
import subprocess
import unittest

from scratch import ROOT, Scratch
from test_flow import SOC

from blockzero.building import debian, devicetree

# The node that rocket-chip writes for a tile in Chipyard: `reg-names` comes with every TLRegisterNode.
CHIPYARD = """/dts-v1/;
/ {
    #address-cells = <1>;
    #size-cells = <1>;
    compatible = "ucb-bar,chipyard-dev";
    model = "ucb-bar,chipyard";
    L1: soc {
        #address-cells = <1>;
        #size-cells = <1>;
        compatible = "ucb-bar,chipyard-soc", "simple-bus";
        ranges;
        L26: blockzero@10100000 {
            compatible = "blockzero,engine-1.0";
            interrupt-parent = <&L15>;
            interrupts = <1 2>;
            reg = <0x10100000 0x10000>;
            reg-names = "control";
        };
        L15: interrupt-controller@c000000 {
            #interrupt-cells = <1>;
            compatible = "riscv,plic0";
            interrupt-controller;
            reg = <0xc000000 0x4000000>;
        };
    };
};
"""

# The least of LiteX's, whose nodes our own is put among.
LITEX = """/dts-v1/;
/ {
    #address-cells = <1>;
    #size-cells = <1>;
    compatible = "litex,sim", "litex,soc";
    model = "LiteX";
    soc {
        #address-cells = <1>;
        #size-cells = <1>;
        compatible = "simple-bus";
        interrupt-parent = <&intc0>;
        ranges;
        intc0: interrupt-controller@c000000 {
            #interrupt-cells = <1>;
            compatible = "sifive,fu540-c000-plic", "sifive,plic-1.0.0";
            interrupt-controller;
            reg = <0xc000000 0x400000>;
        };
    };
};
"""
LITEX_JSON = {"constants": {"blockzero_interrupt": 6, "blockzero_channels": 2}, "memories": {"blockzero": {"base": 0x13000000, "size": 0x10000}}}


@unittest.skipIf(debian.release() == "13", "Debian 13 has no dt-schema, which brings dt-validate")
class Binding(Scratch):
    def setUp(self):
        super().setUp()
        patch = next((ROOT / "linux-patches").glob("*/*-dt-bindings-*"))
        subprocess.run(["git", "apply", "--include=*/dma/*", patch], cwd=self.path, check=True)

    def findings(self, source):
        blob = self.path / "a.dtb"
        subprocess.run(["dtc", "-q", "-O", "dtb", "-o", blob], input=source.encode(), check=True)
        found = subprocess.run(["dt-validate", "-l", "blockzero", "-s", self.path / "Documentation/devicetree/bindings/dma", blob],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
        return found.strip()

    def test_the_node_in_chipyard_fits(self):
        self.assertEqual(self.findings(CHIPYARD), "")

    def test_the_node_of_the_standalone_soc_fits(self):
        self.assertEqual(self.findings(devicetree.source(SOC, 64 << 20, 0x80000, "", (0, 0))), "")

    def test_what_does_not_fit_is_found(self):
        self.assertRegex(self.findings(CHIPYARD.replace('"control"', '"registers"')), "'control' was expected")
        self.assertRegex(self.findings(CHIPYARD.replace("interrupts =", "interrupt =")), "'interrupt' does not match")

    def test_it_is_not_behind_an_iommu(self):
        self.assertRegex(self.findings(CHIPYARD.replace("reg-names =", "iommus = <&L15>; reg-names =")), "'iommus' does not match")

    def test_the_node_in_litex_fits(self):
        node = runpy.run_path(str(ROOT / "generators/litex/blockzero_litex/devicetree.py"))["node"](LITEX_JSON)
        self.assertIn("interrupts = <7>, <8>;", node)  # of the PLIC, which counts from 1
        self.assertEqual(self.findings(LITEX + node), "")
