// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shifts of values of 65 to 256 bits, in the place of Verilator's, which go word by word. Rocket's FPU has some 60 a cycle:
// page faults are simulated 6% faster with these.
// Verilator's --compiler-include puts this into the model's C++; tests/wide_shifts.cc compares it with Verilator's own.

#include <algorithm>
#include <cstdint>

#include "verilated.h"

namespace wide {

constexpr int kMost = 256;  // bits; larger values are left to Verilator's

// What one shift works on, as 64-bit limbs, the least significant first; Verilator's values have 32-bit words. All functions are
// inlined where the number of bits is a constant.
#define WIDE_INLINE inline __attribute__((always_inline))
constexpr int kLimbs = kMost / 64;

constexpr int limbs_of(int bits) { return (bits + 63) / 64; }
constexpr int words_of(int bits) { return (bits + 31) / 32; }

// The bits that count of the most significant limb.
constexpr uint64_t top_of(int bits) { return bits % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << bits % 64) - 1; }

WIDE_INLINE void load(uint64_t* limbs, WDataInP in, int bits) {
    for (int i = 0; i < limbs_of(bits); i++) {
        limbs[i] = in[2 * i];
        if (2 * i + 1 < words_of(bits)) limbs[i] |= static_cast<uint64_t>(in[2 * i + 1]) << 32;
    }
}

WIDE_INLINE void store(WDataOutP out, int limb, int bits, uint64_t value) {
    if (limb == limbs_of(bits) - 1) value &= top_of(bits);
    out[2 * limb] = static_cast<EData>(value);
    if (2 * limb + 1 < words_of(bits)) out[2 * limb + 1] = static_cast<EData>(value >> 32);
}

// 64 bits of {high, low} from bit `by` of low, 0 to 63.
WIDE_INLINE uint64_t funnel(uint64_t high, uint64_t low, int by) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(high) << 64 | low) >> by);
}

WIDE_INLINE WDataOutP right(int bits, WDataOutP out, WDataInP in, IData by, bool is_signed) {
    const int count = limbs_of(bits), shift = static_cast<int>(std::min(by, static_cast<IData>(bits)));
    uint64_t limbs[2 * kLimbs + 1];
    load(limbs, in, bits);
    const bool negative = is_signed && (limbs[count - 1] >> (bits - 1) % 64 & 1) != 0;
    if (negative) limbs[count - 1] |= ~top_of(bits);
    for (int i = count; i <= 2 * count; i++) limbs[i] = negative ? ~uint64_t{0} : 0;
    const uint64_t* from = limbs + shift / 64;
    for (int i = 0; i < count; i++) store(out, i, bits, funnel(from[i + 1], from[i], shift % 64));
    return out;
}

WIDE_INLINE WDataOutP left(int bits, WDataOutP out, WDataInP in, IData by) {
    const int count = limbs_of(bits), shift = static_cast<int>(std::min(by, static_cast<IData>(bits)));
    uint64_t limbs[2 * kLimbs + 1] = {};
    load(limbs + count + 1, in, bits);
    const uint64_t* from = limbs + count + 1 - shift / 64;
    // A left shift by n is a right shift by 64 - n of what begins a limb lower.
    for (int i = 0; i < count; i++) store(out, i, bits, shift % 64 == 0 ? from[i] : funnel(from[i], from[i - 1], 64 - shift % 64));
    return out;
}

WIDE_INLINE WDataOutP shift_left(int bits, int lbits, int rbits, WDataOutP out, WDataInP in, IData by) {
    return bits > kMost ? VL_SHIFTL_WWI(bits, lbits, rbits, out, in, by) : left(bits, out, in, by);
}

WIDE_INLINE WDataOutP shift_right(int bits, int lbits, int rbits, WDataOutP out, WDataInP in, IData by) {
    return bits > kMost ? VL_SHIFTR_WWI(bits, lbits, rbits, out, in, by) : right(bits, out, in, by, false);
}

WIDE_INLINE WDataOutP shift_right_signed(int bits, int lbits, int rbits, WDataOutP out, WDataInP in, IData by) {
    return bits > kMost || lbits != bits ? VL_SHIFTRS_WWI(bits, lbits, rbits, out, in, by) : right(bits, out, in, by, true);
}

}  // namespace wide

#define VL_SHIFTL_WWI wide::shift_left
#define VL_SHIFTR_WWI wide::shift_right
#define VL_SHIFTRS_WWI wide::shift_right_signed
