// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "checkpoint.h"

// A device on the MMIO port. Offsets count from its base; an access is `bytes` wide (1, 2, 4 or 8), data in the low bits.
class Device {
public:
    virtual ~Device() = default;
    virtual uint64_t read(uint64_t offset, unsigned bytes) = 0;
    virtual void write(uint64_t offset, unsigned bytes, uint64_t data) = 0;
    virtual void save_state(VerilatedSerialize&) const {}
    virtual void restore_state(VerilatedDeserialize&) {}
};
