// SPDX-License-Identifier: BSD-3-Clause
#include "dram.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "fatal.h"

namespace {
constexpr uint64_t kPage = 4096;
constexpr size_t kQueued = 32;  // requests a direction holds before the port is stalled
const uint8_t kZeroPage[kPage] = {};
}  // namespace

Dram::Dram(const Axi4Out& port, uint64_t base, uint64_t bytes, const DramTiming& timing)
    : out_(port), base_(base), bytes_(bytes), timing_(timing) {
    void* ram = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (ram == MAP_FAILED) fatal("cannot allocate %lu MiB for the SoC's RAM", bytes >> 20);
    ram_ = static_cast<uint8_t*>(ram);
    in.aw_ready = in.w_ready = in.ar_ready = 1;
}

Dram::~Dram() { munmap(ram_, bytes_); }

bool Dram::good(uint64_t address, uint64_t bytes) const {
    const bool inside = address >= base_ && bytes <= bytes_ && address - base_ <= bytes_ - bytes;
    const bool poisoned = address <= poison_last_ && address + bytes - 1 >= poison_base_;
    return inside && !poisoned;
}

// Books `bytes` on the data bus; returns the cycle at which they move.
uint64_t Dram::occupy(uint64_t cycle, uint64_t bytes) {
    const uint64_t start = std::max(free_at_, cycle * timing_.bandwidth);
    free_at_ = start + bytes;
    return start / timing_.bandwidth;
}

void Dram::work(uint64_t cycle) {
    activity_++;
    // The handshakes of this cycle.
    if (in.ar_ready && *out_.ar.valid) {
        const uint64_t beats = *out_.ar.len + 1u;
        const uint64_t start = occupy(cycle, beats << *out_.ar.size);
        const uint64_t latency = std::max(timing_.read_latency, DramTiming::kPortCycles) - DramTiming::kPortCycles;
        reads_.push_back({start + latency, *out_.ar.addr, *out_.ar.id, *out_.ar.size, static_cast<uint16_t>(beats)});
    }
    if (in.aw_ready && *out_.aw.valid) {
        writes_.push_back({0, *out_.aw.addr, *out_.aw.id, *out_.aw.size, static_cast<uint16_t>(*out_.aw.len + 1u)});
    }
    if (in.r_valid && *out_.r_ready) in.r_valid = 0;
    if (in.b_valid && *out_.b_ready) in.b_valid = 0;
    if (in.w_ready && *out_.w_valid) {
        if (writes_.empty()) fatal("the SoC sent write data before its address, which this model does not take");
        Burst& burst = writes_.front();
        const uint32_t width = out_.data_bytes;
        const uint64_t beat = burst.addr & ~static_cast<uint64_t>(width - 1);
        const uint32_t strobes = width == 8 ? *out_.w_strb8 : *out_.w_strb16;
        if (good(beat, width)) {
            uint8_t* to = ram_ + (beat - base_);
            const uint8_t* from = static_cast<const uint8_t*>(out_.w_data);
            if (strobes == (1u << width) - 1) {
                std::memcpy(to, from, width);
            } else {
                for (uint32_t i = 0; i < width; i++) {
                    if (strobes >> i & 1) to[i] = from[i];
                }
            }
        } else {
            write_good_ = false;
        }
        burst.addr = (burst.addr & ~((1u << burst.size) - 1)) + (1u << burst.size);
        burst.due += 1u << burst.size;  // counts bytes until the burst is whole
        if (*out_.w_last) {
            const uint64_t start = occupy(cycle, burst.due);
            const uint64_t latency = std::max(timing_.write_latency, DramTiming::kPortCycles) - DramTiming::kPortCycles;
            responses_.push_back({start + latency, burst.id, write_good_ ? kOkay : kSlvErr});
            writes_.pop_front();
            write_good_ = true;
        }
    }

    // What the next cycle sees.
    if (!in.r_valid && !reads_.empty() && reads_.front().due <= cycle) {
        Burst& burst = reads_.front();
        const uint32_t width = out_.data_bytes;
        const uint64_t beat = burst.addr & ~static_cast<uint64_t>(width - 1);
        in.r_resp = good(beat, width) ? kOkay : kSlvErr;
        if (in.r_resp == kOkay) std::memcpy(in.r_data, ram_ + (beat - base_), width);
        else std::memset(in.r_data, 0, width);
        burst.addr = (burst.addr & ~((1u << burst.size) - 1)) + (1u << burst.size);
        in.r_valid = 1;
        in.r_id = burst.id;
        in.r_last = --burst.beats == 0;
        if (in.r_last) reads_.pop_front();
    }
    if (!in.b_valid && !responses_.empty() && responses_.front().due <= cycle) {
        in.b_valid = 1;
        in.b_id = responses_.front().id;
        in.b_resp = responses_.front().resp;
        responses_.pop_front();
    }
    in.ar_ready = reads_.size() < kQueued;
    in.aw_ready = writes_.size() < kQueued;
    in.w_ready = responses_.size() < kQueued;
}

uint64_t Dram::load(const std::string& file, uint64_t address) {
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    if (!stream) fatal("cannot read '%s'", file.c_str());
    const uint64_t size = stream.tellg();
    if (address < base_ || size > bytes_ || address - base_ > bytes_ - size) {
        fatal("'%s' (%lu bytes at 0x%lx) does not fit in RAM, 0x%lx to 0x%lx", file.c_str(), size, address, base_,
              base_ + bytes_ - 1);
    }
    stream.seekg(0);
    stream.read(reinterpret_cast<char*>(ram_ + (address - base_)), static_cast<std::streamsize>(size));
    return size;
}

void Dram::poison(uint64_t base, uint64_t last) {
    poison_base_ = base;
    poison_last_ = last;
}

// RAM is saved sparsely: the number of each page that is not zero, and its bytes.
void Dram::save_state(VerilatedSerialize& state) const {
    save(state, bytes_);
    for (uint64_t page = 0; page < bytes_ / kPage; page++) {
        const uint8_t* data = ram_ + page * kPage;
        if (std::memcmp(data, kZeroPage, kPage) == 0) continue;
        save(state, page);
        state.write(data, kPage);
    }
    save(state, ~uint64_t{0});
    save(state, in);
    save(state, free_at_);
    save(state, write_good_);
    save(state, reads_);
    save(state, writes_);
    save(state, responses_);
}

void Dram::restore_state(VerilatedDeserialize& state) {
    uint64_t bytes, page;
    restore(state, bytes);
    if (bytes != bytes_) fatal("the saved state has %lu MiB of RAM, this run %lu MiB", bytes >> 20, bytes_ >> 20);
    for (restore(state, page); page != ~uint64_t{0}; restore(state, page)) {
        if (page >= bytes_ / kPage) fatal("the saved state is damaged");
        state.read(ram_ + page * kPage, kPage);
    }
    restore(state, in);
    restore(state, free_at_);
    restore(state, write_good_);
    restore(state, reads_);
    restore(state, writes_);
    restore(state, responses_);
}
