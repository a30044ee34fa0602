// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "axi4.h"
#include "device.h"

// Serves the MMIO port, one write and one read at a time, from the device whose region holds the address; DECERR
// elsewhere. Writes must be single beats (a burst is answered DECERR); reads may be bursts, as fetches from the boot ROM are.
class Mmio {
public:
    explicit Mmio(const Axi4Out& port) : out_(port) {}

    void attach(Device& device, uint64_t base, uint64_t bytes) { regions_.push_back({&device, base, bytes}); }

    void tick() {
        if (*out_.ar.valid | *out_.aw.valid | *out_.w_valid | in.r_valid | in.b_valid | (read_.beats != 0)) work();
    }

    // How often it had work to do: equal numbers mean that the port was quiet in between.
    uint64_t activity() const { return activity_; }

    void save_state(VerilatedSerialize& state) const;
    void restore_state(VerilatedDeserialize& state);

    Axi4In in;

private:
    struct Region {
        Device* device;
        uint64_t base, bytes;
    };

    struct Read {
        uint32_t addr;
        uint8_t id, size;
        uint16_t beats;  // still to send
    };

    void work();
    const Region* find(uint64_t address) const;

    const Axi4Out out_;
    std::vector<Region> regions_;
    Read read_{};
    bool dropping_ = false;  // the rest of a write burst
    uint64_t activity_ = 0;
};
