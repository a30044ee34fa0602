// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

// The two AXI4 ports of StandaloneSoc as a subordinate sees them: `Out` points at what the SoC drives, `In` holds
// what the simulator drives in the cycle to come. Data is bytes in memory order, `data_bytes` of them.

struct Axi4Address {
    const uint8_t* valid;
    const uint8_t* id;
    const uint32_t* addr;
    const uint8_t* len;
    const uint8_t* size;
};

struct Axi4Out {
    Axi4Address aw, ar;
    const uint8_t* w_valid;
    const void* w_data;
    const uint8_t* w_strb8;    // strobes of an 8-byte port,
    const uint16_t* w_strb16;  // or of a 16-byte one
    const uint8_t* w_last;
    const uint8_t* b_ready;
    const uint8_t* r_ready;
    uint32_t data_bytes;
};

struct Axi4In {
    uint8_t aw_ready = 0, w_ready = 0, ar_ready = 0;
    uint8_t b_valid = 0, b_id = 0, b_resp = 0;
    uint8_t r_valid = 0, r_id = 0, r_resp = 0, r_last = 0;
    uint8_t r_data[16] = {};
};

enum Axi4Resp : uint8_t { kOkay = 0, kSlvErr = 2, kDecErr = 3 };
