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

std::vector<Hart> probe_harts();
Clint probe_clint();

uint64_t instructions_retired();  // by all harts
bool all_harts_wait();            // for an interrupt
