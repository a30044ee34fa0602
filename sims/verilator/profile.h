// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Where the cycles go: every so many cycles, the program counter last retired by each hart and the calls that led there.
class Profile {
public:
    // Without a file it does nothing.
    Profile(const std::string& file, uint64_t every) : file_(file), every_(every) {}

    // To be called after every cycle simulated, and for the cycles skipped after it.
    void cycle(uint64_t number);
    void skipped(uint64_t from, uint64_t cycles);

    // Folded stacks: "hart;call site;...;program counter cycles", a line each.
    void write() const;

private:
    struct Frame {
        uint64_t at;       // the call's address, or that of the instruction trapped
        uint64_t returns;  // to this address
        bool trap;
    };
    using Stack = std::vector<Frame>;

    enum class Leaving { kNo, kReturn, kTrap };

    struct Hart {
        Stack stack;
        std::map<uint64_t, Stack> others;  // stacks of Linux's other tasks, by the address of their task_struct
        uint64_t task = 0;
        uint64_t pc = 0;
        Leaving leaving = Leaving::kNo;  // how the last instruction retired leaves a function
    };

    static void retire(Hart& hart, uint64_t pc, uint32_t instruction, uint64_t result);
    static void leave(Hart& hart, uint64_t pc);
    void sample(uint64_t cycles);

    const std::string file_;
    const uint64_t every_;
    std::map<int, Hart> harts_;
    std::map<std::vector<uint64_t>, uint64_t> cycles_;  // of hart and addresses
};
