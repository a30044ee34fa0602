// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "device.h"

// SiFive's test finisher: how software ends the simulation and with which exit code.
class Finisher : public Device {
public:
    uint64_t read(uint64_t, unsigned) override { return 0; }
    void write(uint64_t offset, unsigned, uint64_t data) override {
        if (offset != 0) return;
        switch (data & 0xffff) {
        case 0x5555: finish("passed", 0); break;
        case 0x3333: finish("failed", static_cast<int>(data >> 16 & 0xffff)); break;
        case 0x7777: finish("asked for a reset", 1); break;
        default: break;
        }
    }

    bool finished() const { return finished_; }
    int exit_code() const { return exit_code_; }
    const char* verdict() const { return verdict_; }

private:
    void finish(const char* verdict, int code) {
        finished_ = true;
        verdict_ = verdict;
        exit_code_ = code;
    }

    bool finished_ = false;
    int exit_code_ = 0;
    const char* verdict_ = "";
};
