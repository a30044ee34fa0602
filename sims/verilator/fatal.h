// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Prints "error: " and the message on standard error, and ends the program with kExitUsage.
[[noreturn]] void fatal(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Exit codes beside those of the SoC's finisher.
enum ExitCode { kExitUsage = 2, kExitMaxCycles = 124, kExitHang = 125, kExitAssertion = 126 };
