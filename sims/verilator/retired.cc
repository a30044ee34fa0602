// SPDX-License-Identifier: BSD-3-Clause
#include "retired.h"

#include "svdpi.h"

Retired g_retired;

extern "C" void blockzero_retired(int hart, long long instructions, long long pc, svBit wfi) {
    g_retired.instructions[hart] = static_cast<uint64_t>(instructions);
    g_retired.pc[hart] = static_cast<uint64_t>(pc);
    g_retired.wfi[hart] = wfi != 0;
}
