// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

class Console;

// Shows, on standard error, how far the simulation is: one line, redrawn on a terminal, repeated elsewhere.
class Progress {
public:
    // `interval` seconds between lines (0: none; 5 and more: a line of its own each); `expected` cycles in all (0: unknown).
    Progress(double interval, uint64_t expected, const std::string& label);

    void update(uint64_t cycle, const Console& console);
    void clear();

    static double wall_seconds();
    static double user_seconds();

private:
    const double interval_;
    const uint64_t expected_;
    const std::string label_;
    const bool terminal_;
    double last_wall_;
    uint64_t last_cycle_ = 0, first_cycle_ = 0;
    bool started_ = false, drawn_ = false;
};
