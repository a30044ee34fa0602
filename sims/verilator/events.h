// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "fatal.h"
#include "probes.h"

// Writes when the engine takes jobs and harts take page faults: a line of JSON for each cycle and kind, with the number of such events
// since the run began.
class Events {
public:
    explicit Events(const std::string& file) : out_(file.empty() ? nullptr : std::fopen(file.c_str(), "w")) {
        if (out_ == nullptr && !file.empty()) fatal("cannot write '%s'", file.c_str());
    }
    ~Events() {
        if (out_ != nullptr) std::fclose(out_);
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    // To be called after every cycle simulated.
    void cycle(uint64_t number) {
        if (out_ == nullptr) return;
        tell(number, "job", g_jobs, jobs_);
        tell(number, "fault", g_faults, faults_);
    }

private:
    void tell(uint64_t cycle, const char* event, uint64_t count, uint64_t& told) {
        if (count == told) return;
        told = count;
        std::fprintf(out_, "{\"cycle\": %lu, \"event\": \"%s\", \"n\": %lu}\n", cycle, event, count);
    }

    FILE* const out_;
    uint64_t jobs_ = 0, faults_ = 0;
};
