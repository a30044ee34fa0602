// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "device.h"

// SiFive's test finisher: how software ends the simulation and with which exit code, 0 to 99. A larger one would be taken
// for the simulator's own, or for another: it ends as 1, and the verdict says what it was.
class Finisher : public Device {
public:
    uint64_t read(uint64_t, unsigned) override { return 0; }
    void write(uint64_t offset, unsigned, uint64_t data) override {
        if (offset != 0) return;
        switch (data & 0xffff) {
        case 0x5555: finish("passed", 0); break;
        case 0x3333: fail(data >> 16 & 0xffff); break;
        case 0x7777: finish("asked for a reset", 1); break;
        default: break;
        }
    }

    bool finished() const { return finished_; }
    int exit_code() const { return exit_code_; }
    const std::string& verdict() const { return verdict_; }

private:
    static constexpr uint64_t kLargestCode = 99;

    void fail(uint64_t code) {
        if (code <= kLargestCode) finish("failed", code == 0 ? 1 : static_cast<int>(code));
        else finish("failed with code " + std::to_string(code), 1);
    }
    void finish(const std::string& verdict, int code) {
        finished_ = true;
        verdict_ = verdict;
        exit_code_ = code;
    }

    bool finished_ = false;
    int exit_code_ = 0;
    std::string verdict_;
};
