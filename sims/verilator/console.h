// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "checkpoint.h"

// The SoC's console on stdin and stdout. On a terminal the keyboard is raw and Ctrl-A x ends the simulation.
class Console {
public:
    explicit Console(bool interactive);
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    void put(uint8_t c);
    int get();  // the next byte for the SoC, or -1
    void flush();

    // Whether the text printed since the last call ends with what watch() named.
    bool watched();
    void watch(const std::string& text) { watch_ = text; }

    // Whether a line that begins with what stop_at() named has been printed, newline included.
    bool stopped() const { return stopped_; }
    void stop_at(const std::string& text) { stop_at_ = text; }

    // The last line printed that is not blank, for the progress display.
    const std::string& last_line() const { return line_.empty() ? last_ : line_; }
    bool quit() const { return quit_; }
    bool interactive() const { return interactive_; }

    // The line begun, such as a prompt, is shown again when a state is restored.
    void save_state(VerilatedSerialize& state) const { save(state, line_); }
    void restore_state(VerilatedDeserialize& state) {
        restore(state, line_);
        out_ = line_;
    }

private:
    bool interactive_, quit_ = false, end_of_input_ = false, escape_ = false, seen_ = false, stopped_ = false;
    std::string line_, last_, watch_, stop_at_, tail_, out_;
};
