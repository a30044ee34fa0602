// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dram.h"

// The simulator's command line. `--help` describes each.
struct Options {
    std::string bootrom, save, save_at, stop_at, restore, trace, stats, profile, events, label;
    std::vector<std::pair<std::string, uint64_t>> load;
    uint64_t ram_mib = 64, max_cycles = 0, hang = 20'000'000, expect = 0, seed = 1, profile_every = 101;
    uint64_t trace_from = 0, trace_to = ~uint64_t{0};
    uint64_t poison_base = 1, poison_last = 0;
    double progress = 1;
    bool skip = true;
    DramTiming dram;

    // Ends the program with a message where an argument is wrong, and after --help.
    static Options parse(int argc, char** argv);
};
