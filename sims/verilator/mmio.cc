// SPDX-License-Identifier: BSD-3-Clause
#include "mmio.h"

#include <cstring>

const Mmio::Region* Mmio::find(uint64_t address) const {
    for (const Region& region : regions_) {
        if (address >= region.base && address - region.base < region.bytes) return &region;
    }
    return nullptr;
}

void Mmio::work() {
    activity_++;
    if (in.b_valid && *out_.b_ready) in.b_valid = 0;
    if (in.r_valid && *out_.r_ready) in.r_valid = 0;

    // A write is taken once address and data are both there and the last response is gone; a burst's other beats are dropped.
    if (dropping_) {
        if (*out_.w_valid && *out_.w_last) {
            dropping_ = false;
            in.b_valid = 1;
        }
        in.w_ready = dropping_;
    } else if (in.aw_ready && *out_.aw.valid) {
        uint64_t data;
        std::memcpy(&data, out_.w_data, sizeof data);
        const uint32_t address = *out_.aw.addr;
        const unsigned bytes = 1u << *out_.aw.size;
        const Region* region = find(address);
        if (region != nullptr && *out_.aw.len == 0) {
            region->device->write(address - region->base, bytes, data >> 8 * (address & 7));
        }
        in.b_resp = region != nullptr && *out_.aw.len == 0 ? kOkay : kDecErr;
        in.b_id = *out_.aw.id;
        dropping_ = *out_.aw.len != 0;
        in.b_valid = !dropping_;
        in.aw_ready = 0;
        in.w_ready = dropping_;
    } else {
        in.aw_ready = in.w_ready = *out_.aw.valid && *out_.w_valid && !in.b_valid;
    }

    if (in.ar_ready && *out_.ar.valid) {
        read_ = {*out_.ar.addr, *out_.ar.id, *out_.ar.size, static_cast<uint16_t>(*out_.ar.len + 1u)};
        in.ar_ready = 0;
    } else {
        in.ar_ready = *out_.ar.valid && !in.r_valid && read_.beats == 0;
    }
    if (!in.r_valid && read_.beats != 0) {
        const Region* region = find(read_.addr);
        const unsigned bytes = 1u << read_.size;
        const uint64_t data = region ? region->device->read(read_.addr - region->base, bytes) << 8 * (read_.addr & 7) : 0;
        std::memcpy(in.r_data, &data, sizeof data);
        in.r_resp = region ? kOkay : kDecErr;
        in.r_id = read_.id;
        in.r_last = --read_.beats == 0;
        in.r_valid = 1;
        read_.addr += bytes;
    }
}

void Mmio::save_state(VerilatedSerialize& state) const {
    save(state, in);
    save(state, read_);
    save(state, dropping_);
    for (const Region& region : regions_) region.device->save_state(state);
}

void Mmio::restore_state(VerilatedDeserialize& state) {
    restore(state, in);
    restore(state, read_);
    restore(state, dropping_);
    for (const Region& region : regions_) region.device->restore_state(state);
}
