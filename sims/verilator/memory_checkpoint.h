// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "verilated_save.h"

// Saves the model to memory.
class MemorySave : public VerilatedSerialize {
public:
    explicit MemorySave(std::vector<uint8_t>& to) : to_(to) { to_.clear(); }
    ~MemorySave() override { take(); }

    void flush() override { take(); }

private:
    void take() {
        to_.insert(to_.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }

    std::vector<uint8_t>& to_;
};

// Restores the model from memory.
class MemoryRestore : public VerilatedDeserialize {
public:
    explicit MemoryRestore(const std::vector<uint8_t>& from) : from_(from) {
        m_endp = m_cp = m_bufp;
        fill();
    }

private:
    // Keeps what the buffer has left and adds as much as fits.
    void fill() override {
        const auto left = static_cast<size_t>(m_endp - m_cp);
        std::memmove(m_bufp, m_cp, left);
        const size_t more = std::min(bufferSize() - left, from_.size() - read_);
        std::memcpy(m_bufp + left, from_.data() + read_, more);
        read_ += more;
        m_cp = m_bufp;
        m_endp = m_bufp + left + more;
    }

    const std::vector<uint8_t>& from_;
    size_t read_ = 0;
};
