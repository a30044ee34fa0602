// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <getopt.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fatal.h"

namespace {

const char kHelp[] =
    "Usage: %s --bootrom FILE [option ...]\n"
    "Simulates the stand-alone BlockZero SoC, cycle by cycle. Its console is on stdin and stdout.\n\n"
    "  --bootrom FILE         contents of the boot ROM\n"
    "  --load FILE@ADDRESS    copy FILE into RAM before reset; may be given again\n"
    "  --ram MIB              RAM (64)\n"
    "  --read-latency N       cycles from a read's address to its first beat at Rocket's memory port, at least 2 (30)\n"
    "  --write-latency N      cycles from a write's last beat to its response, at least 2 (6)\n"
    "  --bandwidth N          bytes a cycle the DRAM moves, reads and writes together (16)\n"
    "  --poison BASE:LAST     answer accesses to these addresses with a bus error\n"
    "  --max-cycles N         stop after N cycles, exit code 124\n"
    "  --hang N               stop when no instruction retires for N cycles, though no hart waits for an interrupt, exit code 125;\n"
    "                         0: never (20000000)\n"
    "  --save FILE            save the whole state to FILE when the console prints --save-at, and end\n"
    "  --save-at TEXT         what to wait for\n"
    "  --stop-at TEXT         end, exit code 0, when the console has printed a whole line that begins with TEXT\n"
    "  --restore FILE         start from a saved state; RAM size and simulator must be the same\n"
    "  --trace FILE           write a waveform (FST); needs a simulator built with tracing\n"
    "  --trace-from N         first cycle of it, counted from reset also after --restore (where the run begins)\n"
    "  --trace-to N           last cycle of it\n"
    "  --progress SECONDS     how often to show progress on stderr, 0: never (1)\n"
    "  --expect N             cycles the run will take, to show what is left\n"
    "  --label TEXT           what to call the run in progress lines\n"
    "  --stats FILE           write cycles, instructions and speed as JSON\n"
    "  --profile FILE         write where the cycles go: folded stacks of addresses, 'hart;call site;...;program counter cycles'\n"
    "  --profile-every N      cycles between its samples (101)\n"
    "  --events FILE          write the cycles in which the engine takes jobs and harts take page faults, as lines of JSON\n"
    "  --no-skip              simulate every cycle, also while all harts wait for an interrupt and nothing happens\n"
    "  --seed N               seed for registers that reset leaves random (1)\n"
    "  --help                 this text\n\n"
    "Exit code: the SoC's finisher's (0 passed; 1 for those above 99); 2 bad usage; 124 --max-cycles; 125 hang; 126 assertion failed.\n"
    "On a terminal Ctrl-A x ends the simulation, Ctrl-A Ctrl-A sends Ctrl-A.\n";

uint64_t number(const char* name, const char* text, uint64_t low, uint64_t high, const char** rest = nullptr) {
    char* end;
    errno = 0;
    const uint64_t value = std::strtoull(text, &end, 0);
    if (end == text || errno || text[0] == '-' || (rest == nullptr && *end != '\0')) {
        fatal("--%s wants a number, not '%s'", name, text);
    }
    if (value < low || value > high) fatal("--%s wants %lu to %lu, not %lu", name, low, high, value);
    if (rest != nullptr) *rest = end;
    return value;
}

}  // namespace

Options Options::parse(int argc, char** argv) {
    enum { kBootrom = 1, kLoad, kRam, kReadLatency, kWriteLatency, kBandwidth, kPoison, kMaxCycles, kHang, kSave, kSaveAt, kStopAt,
           kRestore, kTrace, kTraceFrom, kTraceTo, kProgress, kExpect, kLabel, kStats, kProfile, kProfileEvery, kEvents, kNoSkip, kSeed, kHelpOption };
    static const option kOptions[] = {
        {"bootrom", 1, nullptr, kBootrom},        {"load", 1, nullptr, kLoad},
        {"ram", 1, nullptr, kRam},                {"read-latency", 1, nullptr, kReadLatency},
        {"write-latency", 1, nullptr, kWriteLatency}, {"bandwidth", 1, nullptr, kBandwidth},
        {"poison", 1, nullptr, kPoison},          {"max-cycles", 1, nullptr, kMaxCycles},
        {"hang", 1, nullptr, kHang},              {"save", 1, nullptr, kSave},
        {"save-at", 1, nullptr, kSaveAt},         {"stop-at", 1, nullptr, kStopAt},
        {"restore", 1, nullptr, kRestore},        {"trace", 1, nullptr, kTrace},
        {"trace-from", 1, nullptr, kTraceFrom},   {"trace-to", 1, nullptr, kTraceTo},
        {"progress", 1, nullptr, kProgress},      {"expect", 1, nullptr, kExpect},
        {"label", 1, nullptr, kLabel},            {"stats", 1, nullptr, kStats},
        {"seed", 1, nullptr, kSeed},              {"profile", 1, nullptr, kProfile},
        {"profile-every", 1, nullptr, kProfileEvery}, {"events", 1, nullptr, kEvents},
        {"no-skip", 0, nullptr, kNoSkip},         {"help", 0, nullptr, kHelpOption},
        {nullptr, 0, nullptr, 0}};
    constexpr uint64_t kAny = UINT64_MAX;
    Options o;
    int index = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "", kOptions, &index)) != -1;) {
        const char* name = c == '?' ? "" : kOptions[index].name;
        switch (c) {
        case kBootrom: o.bootrom = optarg; break;
        case kLoad: {
            const char* at = std::strrchr(optarg, '@');
            if (at == nullptr) fatal("--load wants FILE@ADDRESS, not '%s'", optarg);
            o.load.emplace_back(std::string(optarg, static_cast<size_t>(at - optarg)), number(name, at + 1, 0, kAny));
            break;
        }
        case kRam: o.ram_mib = number(name, optarg, 1, 2048); break;
        case kReadLatency: o.dram.read_latency = static_cast<uint32_t>(number(name, optarg, 2, 10000)); break;
        case kWriteLatency: o.dram.write_latency = static_cast<uint32_t>(number(name, optarg, 2, 10000)); break;
        case kBandwidth: o.dram.bandwidth = static_cast<uint32_t>(number(name, optarg, 1, 1024)); break;
        case kPoison: {
            const char* rest;
            o.poison_base = number(name, optarg, 0, kAny, &rest);
            if (*rest != ':') fatal("--poison wants BASE:LAST, not '%s'", optarg);
            o.poison_last = number(name, rest + 1, o.poison_base, kAny);
            break;
        }
        case kMaxCycles: o.max_cycles = number(name, optarg, 0, kAny); break;
        case kHang: o.hang = number(name, optarg, 0, kAny); break;
        case kSave: o.save = optarg; break;
        case kSaveAt: o.save_at = optarg; break;
        case kStopAt: o.stop_at = optarg; break;
        case kRestore: o.restore = optarg; break;
        case kTrace: o.trace = optarg; break;
        case kTraceFrom: o.trace_from = number(name, optarg, 0, kAny); break;
        case kTraceTo: o.trace_to = number(name, optarg, 0, kAny); break;
        case kProgress: o.progress = static_cast<double>(number(name, optarg, 0, 86400)); break;
        case kExpect: o.expect = number(name, optarg, 0, kAny); break;
        case kLabel: o.label = optarg; break;
        case kStats: o.stats = optarg; break;
        case kProfile: o.profile = optarg; break;
        case kProfileEvery: o.profile_every = number(name, optarg, 1, kAny); break;
        case kEvents: o.events = optarg; break;
        case kNoSkip: o.skip = false; break;
        case kSeed: o.seed = number(name, optarg, 1, INT_MAX); break;
        case kHelpOption: std::printf(kHelp, argv[0]); std::exit(0);
        default: fatal("bad option or missing value: '%s'; --help lists the options", argv[optind - 1]);
        }
    }
    if (optind < argc) fatal("unexpected argument '%s'; --help lists the options", argv[optind]);
    if (o.bootrom.empty()) fatal("--bootrom FILE is missing; --help lists the options");
    if (o.save.empty() != o.save_at.empty()) fatal("--save and --save-at go together");
    return o;
}
