// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "axi4.h"
#include "checkpoint.h"

// Timing of a DRAM behind its controller, in cycles of the SoC's clock, as seen at Rocket's memory port.
struct DramTiming {
    // From a read's address to its first beat: a row-buffer hit on DDR3 behind a soft controller.
    uint32_t read_latency = 30;
    // From a write's last beat to its response: controllers answer when they have accepted a write.
    uint32_t write_latency = 6;
    // Bytes per cycle that the DRAM moves, reads and writes together: DDR3-800, 16 bits wide, at 100 MHz.
    uint32_t bandwidth = 16;
    // The queues between Rocket and the simulator take one cycle each way; latencies include them.
    static constexpr uint32_t kPortCycles = 2;
};

// RAM behind the memory port. Requests are served in order, data at once, answers when their time has come.
class Dram {
public:
    Dram(const Axi4Out& port, uint64_t base, uint64_t bytes, const DramTiming& timing);
    ~Dram();
    Dram(const Dram&) = delete;
    Dram& operator=(const Dram&) = delete;

    // Takes what the SoC drives in this cycle and leaves in `in` what it sees in the next.
    void tick(uint64_t cycle) {
        const bool busy = *out_.ar.valid | *out_.aw.valid | *out_.w_valid | in.r_valid | in.b_valid;
        if (busy || !reads_.empty() || !responses_.empty()) work(cycle);
    }

    // How often it had work to do: equal numbers mean that the port was quiet in between.
    uint64_t activity() const { return activity_; }

    // Copies a file to `address`; returns its size. Ends the program where it does not fit.
    uint64_t load(const std::string& file, uint64_t address);

    // Answers every access to [base, last] with SLVERR and no effect: a fault to inject.
    void poison(uint64_t base, uint64_t last);

    void save_state(VerilatedSerialize& state) const;
    void restore_state(VerilatedDeserialize& state);

    Axi4In in;

private:
    struct Burst {
        uint64_t due;
        uint32_t addr;
        uint8_t id, size;
        uint16_t beats;  // 1 to 256
    };
    struct Response {
        uint64_t due;
        uint8_t id, resp;
    };

    void work(uint64_t cycle);
    uint64_t occupy(uint64_t cycle, uint64_t bytes);
    bool good(uint64_t address, uint64_t bytes) const;

    const Axi4Out out_;
    const uint64_t base_, bytes_;
    const DramTiming timing_;
    uint8_t* ram_;
    uint64_t free_at_ = 0;  // cycle at which the DRAM's data bus is free, in units of 1/bandwidth
    uint64_t poison_base_ = 1, poison_last_ = 0;
    bool write_good_ = true;
    uint64_t activity_ = 0;
    std::deque<Burst> reads_, writes_;
    std::deque<Response> responses_;
};
