// SPDX-License-Identifier: BSD-3-Clause
// Compares the shifts of wide_shifts.h with Verilator's own: every distance and beyond, random values. The exit code is the verdict.
#include "../wide_shifts.h"

#undef VL_SHIFTL_WWI
#undef VL_SHIFTR_WWI
#undef VL_SHIFTRS_WWI

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

using Shift = WDataOutP (*)(int, int, int, WDataOutP, WDataInP, IData);

std::mt19937 g_random(1);
unsigned long g_compared = 0;

void compare(const char* name, int bits, Shift ours, Shift its) {
    const int words = (bits + 31) / 32;
    const EData top = bits % 32 == 0 ? ~EData{0} : (EData{1} << bits % 32) - 1;
    for (IData by = 0; by < static_cast<IData>(2 * bits + 70); by++) {
        for (int round = 0; round < 20; round++) {
            EData in[16], expected[16], got[16];
            for (EData& word : in) word = round == 0 ? ~EData{0} : g_random();
            in[words - 1] &= top;
            its(bits, bits, 32, expected, in, by);
            ours(bits, bits, 32, got, in, by);
            expected[words - 1] &= top;  // Verilator leaves that to whoever uses it
            got[words - 1] &= top;
            if (std::memcmp(got, expected, sizeof(EData) * static_cast<size_t>(words)) != 0) {
                std::printf("%s of %d bits by %u differs from Verilator's\n", name, bits, by);
                std::exit(1);
            }
            g_compared++;
        }
    }
}

}  // namespace

int main() {
    for (int bits = 65; bits <= 300; bits++) {
        compare("left shift", bits, wide::shift_left, VL_SHIFTL_WWI);
        compare("right shift", bits, wide::shift_right, VL_SHIFTR_WWI);
        compare("signed right shift", bits, wide::shift_right_signed, VL_SHIFTRS_WWI);
    }
    std::printf("%lu shifts are as Verilator's\n", g_compared);
}
