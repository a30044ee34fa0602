// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

// What the probes in the RTL (*Probe.sv) say when they are asked.

struct Hart {
    int number;
    uint64_t instructions;  // retired
    uint64_t pc;
    bool wfi;  // it waits for an interrupt
};

struct Clint {
    uint64_t time;
    uint64_t next;  // at which a timer expires
};

// What a hart does in the cycle simulated last.
struct Step {
    int hart;
    bool retires;
    uint64_t pc;
    uint32_t instruction;
    uint64_t result;  // what it writes to a register, if it is arithmetic
    bool traps;       // by an exception or an interrupt: nothing retires
    bool trap_returns;
};

std::vector<Hart> probe_harts();
std::vector<Step> probe_steps();
Clint probe_clint();

// Since the program began: jobs that the engine took, page faults of all harts.
extern uint64_t g_jobs, g_faults;

uint64_t instructions_retired();  // by all harts
bool all_harts_wait();            // for an interrupt
