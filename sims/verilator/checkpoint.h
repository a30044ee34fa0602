// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>

#include "verilated_save.h"

// Saves and restores plain values, queues of them and strings, beside what Verilator does for the model.

template <typename T>
void save(VerilatedSerialize& out, const T& value) {
    static_assert(std::is_trivially_copyable<T>::value, "only plain values are saved as they stand");
    out.write(&value, sizeof value);
}

template <typename T>
void restore(VerilatedDeserialize& in, T& value) {
    static_assert(std::is_trivially_copyable<T>::value, "only plain values are restored as they stand");
    in.read(&value, sizeof value);
}

template <typename T>
void save(VerilatedSerialize& out, const std::deque<T>& queue) {
    save(out, static_cast<uint64_t>(queue.size()));
    for (const T& value : queue) save(out, value);
}

template <typename T>
void restore(VerilatedDeserialize& in, std::deque<T>& queue) {
    uint64_t size;
    restore(in, size);
    queue.resize(size);
    for (T& value : queue) restore(in, value);
}

inline void save(VerilatedSerialize& out, const std::string& text) {
    save(out, static_cast<uint64_t>(text.size()));
    out.write(text.data(), text.size());
}

inline void restore(VerilatedDeserialize& in, std::string& text) {
    uint64_t size;
    restore(in, size);
    text.resize(size);
    in.read(&text[0], size);
}
