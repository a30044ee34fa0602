// SPDX-License-Identifier: BSD-3-Clause
#include "probes.h"

#include <algorithm>

#include "VStandaloneSoc__Dpi.h"
#include "svdpi.h"

namespace {
std::vector<svScope> g_harts;
svScope g_clint;
}  // namespace

uint64_t g_jobs = 0, g_faults = 0;

void blockzero_add_hart() { g_harts.push_back(svGetScope()); }
void blockzero_add_clint() { g_clint = svGetScope(); }
void blockzero_job() { g_jobs++; }
void blockzero_fault() { g_faults++; }

std::vector<Hart> probe_harts() {
    std::vector<Hart> harts;
    for (const svScope scope : g_harts) {
        svSetScope(scope);
        int number;
        long long instructions, pc;
        svBit wfi;
        blockzero_hart(&number, &instructions, &pc, &wfi);
        harts.push_back({number, static_cast<uint64_t>(instructions), static_cast<uint64_t>(pc), wfi != 0});
    }
    return harts;
}

std::vector<Step> probe_steps() {
    std::vector<Step> steps;
    for (const svScope scope : g_harts) {
        svSetScope(scope);
        int hart, instruction;
        long long pc, result;
        svBit retires, traps, trap_returns;
        blockzero_step(&hart, &retires, &pc, &instruction, &result, &traps, &trap_returns);
        steps.push_back({hart, retires != 0, static_cast<uint64_t>(pc), static_cast<uint32_t>(instruction), static_cast<uint64_t>(result),
                         traps != 0, trap_returns != 0});
    }
    return steps;
}

Clint probe_clint() {
    svSetScope(g_clint);
    long long time, next;
    blockzero_clint(&time, &next);
    return {static_cast<uint64_t>(time), static_cast<uint64_t>(next)};
}

uint64_t instructions_retired() {
    uint64_t sum = 0;
    for (const Hart& hart : probe_harts()) sum += hart.instructions;
    return sum;
}

bool all_harts_wait() {
    const std::vector<Hart> harts = probe_harts();
    return std::all_of(harts.begin(), harts.end(), [](const Hart& hart) { return hart.wfi; });
}
