// SPDX-License-Identifier: BSD-3-Clause
#include "fatal.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

void fatal(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::fputs("error: ", stderr);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
    std::exit(kExitUsage);
}
