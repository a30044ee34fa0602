// SPDX-License-Identifier: BSD-3-Clause
#include "probes.h"

#include <algorithm>

#include "VStandaloneSoc__Dpi.h"
#include "svdpi.h"

namespace {
std::vector<svScope> g_harts;
svScope g_clint;
}  // namespace

void blockzero_add_hart() { g_harts.push_back(svGetScope()); }
void blockzero_add_clint() { g_clint = svGetScope(); }

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
