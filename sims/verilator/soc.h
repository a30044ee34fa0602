// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "VStandaloneSoc.h"
#include "axi4.h"
#include "verilated.h"
#include "verilated_save.h"

// The Verilated model and the wires between it and the devices.
class Soc {
public:
    explicit Soc(uint64_t seed, bool trace);
    ~Soc();

    Axi4Out mem_port();
    Axi4Out mmio_port();

    // One clock cycle. The inputs take effect after the rising edge, so the devices are registered logic to the SoC.
    void cycle(const Axi4In& mem, const Axi4In& mmio, bool uart_irq) {
        top_->clock = 1;
        top_->eval();
        dump();
        drive(mem, mmio, uart_irq);
        top_->clock = 0;
        top_->eval();
        dump();
    }
    void reset(bool on) { top_->reset = on; }

    void trace_begin(const std::string& file);
    void trace_end();
    bool stopped() const { return context_->gotFinish(); }

    void save_state(VerilatedSerialize& state);
    void restore_state(VerilatedDeserialize& state);

private:
    void drive(const Axi4In& mem, const Axi4In& mmio, bool uart_irq);
    void dump();

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<VStandaloneSoc> top_;
    struct Trace;
    std::unique_ptr<Trace> trace_;
};
