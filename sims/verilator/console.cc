// SPDX-License-Identifier: BSD-3-Clause
#include "console.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>

namespace {
constexpr uint8_t kCtrlA = 1;
termios g_cooked;

// Also when fatal() ends the program.
void cook() { tcsetattr(STDIN_FILENO, TCSANOW, &g_cooked); }
}  // namespace

Console::Console(bool interactive) : interactive_(interactive) {
    if (!interactive_) return;
    tcgetattr(STDIN_FILENO, &g_cooked);
    std::atexit(cook);
    termios raw = g_cooked;
    cfmakeraw(&raw);
    raw.c_oflag |= OPOST;  // keeps newlines whole for what the simulator itself prints
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

Console::~Console() { flush(); }

void Console::put(uint8_t c) {
    out_ += static_cast<char>(c);
    if (c == '\n' || out_.size() > 4096) flush();
    if (c == '\n') {
        if (line_.find_first_not_of(" \t") != std::string::npos) last_ = line_;
        stopped_ |= !stop_at_.empty() && line_.compare(0, stop_at_.size(), stop_at_) == 0;
        line_.clear();
    } else if (c >= ' ') {
        line_ += static_cast<char>(c);
    }
    if (watch_.empty()) return;
    tail_ += static_cast<char>(c);
    if (tail_.size() > watch_.size()) tail_.erase(0, tail_.size() - watch_.size());
    seen_ |= tail_ == watch_;
}

bool Console::watched() {
    const bool seen = seen_;
    seen_ = false;
    return seen;
}

void Console::flush() {
    size_t done = 0;
    while (done < out_.size()) {
        const ssize_t n = write(STDOUT_FILENO, out_.data() + done, out_.size() - done);
        if (n <= 0) break;
        done += static_cast<size_t>(n);
    }
    out_.clear();
}

int Console::get() {
    if (end_of_input_) return -1;
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    if (::poll(&ready, 1, 0) <= 0) return -1;
    uint8_t c;
    if (read(STDIN_FILENO, &c, 1) != 1) {
        end_of_input_ = true;
        return -1;
    }
    if (!interactive_) return c;
    if (escape_) {
        escape_ = false;
        if (c == 'x') quit_ = true;
        return c == kCtrlA ? c : -1;
    }
    if (c == kCtrlA) {
        escape_ = true;
        return -1;
    }
    return c;
}
