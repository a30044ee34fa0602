// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

// What RetireProbe.sv last said of each hart; at most 65,536 cycles old.
struct Retired {
    static constexpr int kHarts = 4;
    uint64_t instructions[kHarts] = {};
    uint64_t pc[kHarts] = {};
    bool wfi[kHarts] = {};  // the hart waits for an interrupt

    uint64_t total() const {
        uint64_t sum = 0;
        for (uint64_t n : instructions) sum += n;
        return sum;
    }

    // Whether every hart there is waits for an interrupt.
    bool waiting() const {
        for (int hart = 0; hart < kHarts; hart++) {
            if (instructions[hart] != 0 && !wfi[hart]) return false;
        }
        return true;
    }
};

extern Retired g_retired;
