// SPDX-License-Identifier: BSD-3-Clause
#include "idle.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "probes.h"
#include "soc.h"

namespace {

constexpr int kWord = 8;

uint64_t load(const uint8_t* at) {
    uint64_t value;
    std::memcpy(&value, at, kWord);
    return value;
}

// Where the time is in the state `now`, in Verilator's copies of it as well, if nothing else has changed since `before`, one tick
// earlier; empty otherwise.
std::vector<uint8_t*> only_changes(const std::vector<uint8_t>& before, std::vector<uint8_t>& now, uint64_t time) {
    std::vector<uint8_t*> found;
    if (before.size() != now.size()) return found;
    const uint8_t* was = before.data();
    for (uint8_t *at = now.data(), *end = at + now.size(); std::tie(at, was) = std::mismatch(at, end, was), at != end;) {
        if (end - at < kWord || load(at) != time || load(was) != time - 1) return {};
        found.push_back(at);
        at += kWord;
        was += kWord;
    }
    return found;
}

}  // namespace

uint64_t Idle::skip(uint64_t activity, uint64_t most) {
    if (!all_harts_wait()) {
        before_.clear();
        return 0;
    }
    soc_.save_to(now_);
    const Clint clint = probe_clint();
    uint64_t ticks = 0;
    if (activity == activity_) {
        const std::vector<uint8_t*> times = only_changes(before_, now_, clint.time);
        if (!times.empty()) ticks = std::min(most, clint.next - clint.time - 1);
        const uint64_t later = clint.time + ticks;
        for (uint8_t* time : times) std::memcpy(time, &later, kWord);
        if (ticks != 0) soc_.restore_from(now_);
    }
    before_.swap(now_);
    activity_ = activity;
    return ticks;
}
