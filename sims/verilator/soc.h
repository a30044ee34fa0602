// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
    void cycle(uint64_t number, const Axi4In& mem, const Axi4In& mmio, bool uart_irq) {
        top_->clock = 1;
        top_->eval();
        dump(number * kPeriod);
        drive(mem, mmio, uart_irq);
        top_->clock = 0;
        top_->eval();
        dump(number * kPeriod + kPeriod / 2);
    }
    void reset(bool on) { top_->reset = on; }

    void trace_begin(const std::string& file);
    void trace_end();
    bool stopped() const { return context_->gotFinish(); }

    void save_state(VerilatedSerialize& state);
    void restore_state(VerilatedDeserialize& state);
    void save_to(std::vector<uint8_t>& state);
    void restore_from(const std::vector<uint8_t>& state);

private:
    static constexpr uint64_t kPeriod = 10;  // of the clock in a waveform, in ns

    void drive(const Axi4In& mem, const Axi4In& mmio, bool uart_irq);
    void dump(uint64_t time);

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<VStandaloneSoc> top_;
    struct Trace;
    std::unique_ptr<Trace> trace_;
};
