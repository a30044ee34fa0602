// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>

#include "device.h"

class Console;

// An ns16550a whose transmitter is always ready (so that the console costs the SoC no time), registers one byte apart.
class Uart : public Device {
public:
    explicit Uart(Console& console) : console_(console) {}

    uint64_t read(uint64_t offset, unsigned bytes) override;
    void write(uint64_t offset, unsigned bytes, uint64_t data) override;
    void save_state(VerilatedSerialize& state) const override;
    void restore_state(VerilatedDeserialize& state) override;

    // Takes what the console has for the SoC; call it now and then.
    void poll();

    bool irq() const { return irq_; }

private:
    void update_irq();

    struct Registers {
        uint8_t ier = 0, fcr = 0, lcr = 0, mcr = 0, scr = 0, dll = 0, dlm = 0;
        bool thr_empty_pending = false;  // a THRE interrupt not yet seen in IIR
    } r_;
    bool irq_ = false;
    std::deque<uint8_t> received_;
    Console& console_;
};
