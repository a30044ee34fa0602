// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "device.h"
#include "fatal.h"

// Read-only bytes from a file; zero past its end.
class BootRom : public Device {
public:
    explicit BootRom(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        if (!stream) fatal("cannot read the boot ROM '%s'", file.c_str());
        bytes_.assign(std::istreambuf_iterator<char>(stream), {});
    }

    uint64_t read(uint64_t offset, unsigned bytes) override {
        uint64_t value = 0;
        if (offset < bytes_.size()) std::memcpy(&value, bytes_.data() + offset, std::min<size_t>(bytes, bytes_.size() - offset));
        return value;
    }
    void write(uint64_t, unsigned, uint64_t) override {}

private:
    std::vector<uint8_t> bytes_;
};
