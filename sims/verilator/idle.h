// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

class Soc;

// Skips the time in which every hart waits for an interrupt, and changes nothing by it.
//
// A tick is a count of the CLINT's time. The whole model is compared with a copy one tick earlier. If they differ in time alone and
// nothing came from outside, every tick is like the last until a timer expires: time may be advanced at once.
class Idle {
public:
    explicit Idle(Soc& soc) : soc_(soc) {}

    // To be called once a tick. `activity` is a number that changes whenever something comes from outside the model. Advances the
    // model by as many ticks as nothing happens in, `most` at most; returns how many.
    uint64_t skip(uint64_t activity, uint64_t most);

private:
    Soc& soc_;
    std::vector<uint8_t> before_, now_;
    uint64_t activity_ = 0;
};
