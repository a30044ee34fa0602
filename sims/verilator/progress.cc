// SPDX-License-Identifier: BSD-3-Clause
#include "progress.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "console.h"

namespace {
constexpr size_t kLabel = 40;  // characters shown of it
}

double Progress::wall_seconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double Progress::user_seconds() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

Progress::Progress(double interval, uint64_t expected, const std::string& label)
    : interval_(interval), expected_(expected), label_(label.substr(0, kLabel)), terminal_(isatty(STDERR_FILENO) && interval < 5), last_wall_(wall_seconds()) {}

void Progress::update(uint64_t cycle, const Console& console) {
    if (!started_) {
        started_ = true;
        first_cycle_ = last_cycle_ = cycle;
    }
    if (interval_ <= 0 || console.interactive()) return;
    const double now = wall_seconds();
    if (now - last_wall_ < interval_) return;
    const double khz = static_cast<double>(cycle - last_cycle_) / (now - last_wall_) / 1e3;
    last_wall_ = now;
    last_cycle_ = cycle;

    char speed[64], rest[64] = "";
    std::snprintf(speed, sizeof speed, "%7.2f M cycles  %4.0f kHz", static_cast<double>(cycle - first_cycle_) / 1e6, khz);
    if (expected_ > 0) {
        const double done = std::min(static_cast<double>(cycle - first_cycle_) / static_cast<double>(expected_), 0.99);
        const double left = static_cast<double>(expected_) * (1 - done) / (khz * 1e3 + 1);
        std::snprintf(rest, sizeof rest, "  %2.0f%%  %3.0f s left", done * 100, left);
    }
    std::string line = label_ + (label_.empty() ? "" : "  ") + speed + rest + "  | " + console.last_line();
    winsize size{};
    size_t width = 120;
    if (terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 8) width = size.ws_col - 1u;
    if (line.size() > width) line.resize(width);
    if (terminal_) std::fprintf(stderr, "\r\033[K%s", line.c_str());
    else std::fprintf(stderr, "%s\n", line.c_str());
    std::fflush(stderr);
    drawn_ = terminal_;
}

void Progress::clear() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
}
