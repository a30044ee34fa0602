// SPDX-License-Identifier: BSD-3-Clause
// Wires the SoC, its memory and its devices together, and runs the clock.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "bootrom.h"
#include "console.h"
#include "dram.h"
#include "events.h"
#include "fatal.h"
#include "finisher.h"
#include "idle.h"
#include "memory_map.h"
#include "mmio.h"
#include "options.h"
#include "probes.h"
#include "profile.h"
#include "progress.h"
#include "soc.h"
#include "uart.h"

namespace {

constexpr uint64_t kResetCycles = 10;
constexpr uint64_t kPollCycles = 8192;  // between looks at the keyboard, the clock and the hang counter

volatile std::sig_atomic_t g_interrupted = 0;

class Simulation {
public:
    explicit Simulation(const Options& options)
        : options_(options),
          soc_(options.seed, !options.trace.empty()),
          dram_(soc_.mem_port(), kRamBase, options.ram_mib << 20, options.dram),
          mmio_(soc_.mmio_port()),
          idle_(soc_),
          bootrom_(options.bootrom),
          console_(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)),
          uart_(console_),
          progress_(options.progress, options.expect, options.label),
          profile_(options.profile, options.profile_every),
          events_(options.events) {
        mmio_.attach(bootrom_, kBootromBase, kBootromSize);
        mmio_.attach(uart_, kUartBase, kUartSize);
        mmio_.attach(finisher_, kFinisherBase, kFinisherSize);
        for (const auto& image : options.load) dram_.load(image.first, image.second);
        dram_.poison(options.poison_base, options.poison_last);
        console_.watch(options.save_at);
        console_.stop_at(options.stop_at);
        if (!options.restore.empty()) restore_state();
        watching_ = !options.profile.empty() || !options.events.empty();
        start_cycle_ = last_retired_at_ = cycle_;
        trace_from_ = options.trace.empty() ? ~uint64_t{0} : std::max(options.trace_from, cycle_);
        if (!options.trace.empty() && options.trace_to <= trace_from_) {
            fatal("the waveform would end before it begins: --trace-to %lu, and it begins at cycle %lu", options.trace_to, trace_from_);
        }
    }

    int run() {
        const double wall = Progress::wall_seconds(), user = Progress::user_seconds();
        int code = loop();
        progress_.clear();
        console_.flush();
        profile_.write();
        report(code, Progress::wall_seconds() - wall, Progress::user_seconds() - user);
        return code;
    }

private:
    int loop() {
        for (;; cycle_++) {
            if (cycle_ % kCyclesPerTick == 0 && options_.skip && !tracing()) skip();
            if (cycle_ % kPollCycles == 0) {
                const int code = poll();
                if (code >= 0) return code;
            }
            if (cycle_ == trace_from_) soc_.trace_begin(options_.trace);
            if (cycle_ == options_.trace_to) soc_.trace_end();
            soc_.reset(cycle_ < kResetCycles);
            dram_.tick(cycle_);
            mmio_.tick();
            soc_.cycle(cycle_, dram_.in, mmio_.in, uart_.irq());
            if (watching_) watch();
            if (soc_.stopped()) {
                why_ = "an assertion in the RTL failed";
                return kExitAssertion;
            }
            if (finisher_.finished()) {
                why_ = finisher_.verdict();
                return finisher_.exit_code();
            }
            if (options_.max_cycles != 0 && cycle_ - start_cycle_ >= options_.max_cycles) {
                why_ = "--max-cycles reached";
                return kExitMaxCycles;
            }
        }
    }

    void watch() {
        profile_.cycle(cycle_);
        events_.cycle(cycle_);
    }

    bool tracing() const { return cycle_ >= trace_from_ && cycle_ < options_.trace_to; }

    // Skips the ticks in which nothing happens, before what is to be done at a certain cycle.
    void skip() {
        uint64_t end = (cycle_ + kPollCycles - 1) / kPollCycles * kPollCycles;  // not to it: a state saved there is of a cycle simulated
        if (cycle_ < trace_from_) end = std::min(end, trace_from_);
        if (options_.max_cycles != 0) end = std::min(end, start_cycle_ + options_.max_cycles);
        const uint64_t most = end > cycle_ ? (end - cycle_ - 1) / kCyclesPerTick : 0;
        const uint64_t cycles = idle_.skip(dram_.activity() + mmio_.activity(), most) * kCyclesPerTick;
        profile_.skipped(cycle_ - 1, cycles);
        cycle_ += cycles;
        skipped_ += cycles;
    }

    // Everything that need not happen every cycle; an exit code, or -1 to go on.
    int poll() {
        uart_.poll();
        progress_.update(cycle_, console_);
        if (console_.interactive()) console_.flush();
        if (!options_.save.empty() && console_.watched()) {
            save_state();
            why_ = "saved";
            return 0;
        }
        if (console_.stopped()) {
            why_ = "stopped by --stop-at";
            return 0;
        }
        if (g_interrupted || console_.quit()) {
            why_ = "stopped by the user";
            return 130;
        }
        const uint64_t retired = instructions_retired();
        if (retired != last_retired_) {
            last_retired_ = retired;
            last_retired_at_ = cycle_;
        } else if (all_harts_wait()) {
            last_retired_at_ = cycle_;  // for an interrupt: that is no hang
        } else if (options_.hang != 0 && cycle_ - last_retired_at_ > options_.hang) {
            why_ = "hang: no instruction retired for a long time (--hang)";
            return kExitHang;
        }
        return -1;
    }

    void save_state() {
        const std::string partial = options_.save + ".partial";
        {
            VerilatedSave file;
            file.open(partial);
            if (!file.isOpen()) fatal("cannot write '%s'", partial.c_str());
            soc_.save_state(file);
            save(file, cycle_);
            dram_.save_state(file);
            mmio_.save_state(file);
            console_.save_state(file);
        }
        if (std::rename(partial.c_str(), options_.save.c_str()) != 0) fatal("cannot write '%s'", options_.save.c_str());
    }

    void restore_state() {
        struct stat status;
        if (stat(options_.restore.c_str(), &status) != 0) fatal("cannot read the saved state '%s'", options_.restore.c_str());
        VerilatedRestore file;
        file.open(options_.restore);
        soc_.restore_state(file);
        restore(file, cycle_);
        dram_.restore_state(file);
        mmio_.restore_state(file);
        console_.restore_state(file);
    }

    void report(int code, double wall, double user) {
        const uint64_t cycles = cycle_ - start_cycle_;
        const double khz = static_cast<double>(cycles) / (user > 0 ? user : 1) / 1e3;
        std::fprintf(stderr, "%s: %lu cycles, %lu instructions, %.1f s wall, %.1f s user, %.0f kHz per user-CPU second\n", why_.c_str(),
                     cycles, instructions_retired(), wall, user, khz);
        if (code != 0) {
            for (const Hart& hart : probe_harts()) {
                std::fprintf(stderr, "  hart %d: pc 0x%016lx, %lu instructions; last console line: %s\n", hart.number, hart.pc,
                             hart.instructions, console_.last_line().c_str());
            }
        }
        if (!options_.trace.empty() && cycle_ < trace_from_) {
            std::fprintf(stderr, "  no waveform was written: the run ended at cycle %lu, --trace-from is %lu\n", cycle_, trace_from_);
        }
        if (options_.stats.empty()) return;
        FILE* file = std::fopen(options_.stats.c_str(), "w");
        if (file == nullptr) fatal("cannot write '%s'", options_.stats.c_str());
        std::fprintf(file, "{\"exit_code\": %d, \"cycles\": %lu, \"skipped_cycles\": %lu, \"instructions\": %lu, \"wall_s\": %.2f, \"user_s\": %.2f, \"khz\": %.1f}\n",
                     code, cycles, skipped_, instructions_retired(), wall, user, khz);
        std::fclose(file);
    }

    const Options options_;
    Soc soc_;
    Dram dram_;
    Mmio mmio_;
    Idle idle_;
    BootRom bootrom_;
    Finisher finisher_;
    Console console_;
    Uart uart_;
    Progress progress_;
    Profile profile_;
    Events events_;
    std::string why_;
    bool watching_ = false;
    uint64_t cycle_ = 0, skipped_ = 0, start_cycle_ = 0, trace_from_ = 0, last_retired_ = 0, last_retired_at_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const Options options = Options::parse(argc, argv);
    std::signal(SIGINT, [](int) { g_interrupted = 1; });
    std::signal(SIGTERM, [](int) { g_interrupted = 1; });
    return Simulation(options).run();
}
