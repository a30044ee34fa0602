// SPDX-License-Identifier: BSD-3-Clause
#include "soc.h"

#include <cstring>
#include <type_traits>

#include "fatal.h"
#include "memory_checkpoint.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

struct Soc::Trace {
#if VM_TRACE
    VerilatedFstC file;
    bool open = false;
#endif
};

Soc::Soc(uint64_t seed, bool trace) : context_(new VerilatedContext), trace_(new Trace) {
    context_->randReset(2);
    context_->randSeed(static_cast<int>(seed));
#if VM_TRACE
    context_->traceEverOn(true);  // a saved state has this in it, and a waveform may begin after any
#else
    if (trace) fatal("this simulator was built without tracing; build it with VARIANT=trace");
#endif
    context_->fatalOnError(false);  // a failed assertion ends the run, see stopped()
    const char* no_plusargs[] = {"simulator"};
    context_->commandArgs(1, no_plusargs);
    top_.reset(new VStandaloneSoc(context_.get()));
    top_->clock = 0;
    top_->reset = 1;
    drive(Axi4In(), Axi4In(), false);
    top_->eval();
}

Soc::~Soc() {
    trace_end();
    top_->final();
}

#define ADDRESS_CHANNEL(port, c) \
    { &top_->port##_##c##_valid, &top_->port##_##c##_bits_id, &top_->port##_##c##_bits_addr, \
      &top_->port##_##c##_bits_len, &top_->port##_##c##_bits_size }

namespace {
// Verilator makes strobes of an 8-byte port a uint8_t and of a 16-byte port a uint16_t.
const uint8_t* strobes8(const uint8_t* s) { return s; }
const uint8_t* strobes8(const uint16_t*) { return nullptr; }
const uint16_t* strobes16(const uint8_t*) { return nullptr; }
const uint16_t* strobes16(const uint16_t* s) { return s; }
}  // namespace

#define PORT(port) \
    Axi4Out{ADDRESS_CHANNEL(port, aw), ADDRESS_CHANNEL(port, ar), &top_->port##_w_valid, &top_->port##_w_bits_data, \
            strobes8(&top_->port##_w_bits_strb), strobes16(&top_->port##_w_bits_strb), &top_->port##_w_bits_last, \
            &top_->port##_b_ready, &top_->port##_r_ready, sizeof top_->port##_w_bits_data}

Axi4Out Soc::mem_port() { return PORT(mem); }
Axi4Out Soc::mmio_port() { return PORT(mmio); }

#define DRIVE(port, in) \
    do { \
        top_->port##_aw_ready = in.aw_ready; \
        top_->port##_w_ready = in.w_ready; \
        top_->port##_ar_ready = in.ar_ready; \
        top_->port##_b_valid = in.b_valid; \
        top_->port##_b_bits_id = in.b_id; \
        top_->port##_b_bits_resp = in.b_resp; \
        top_->port##_r_valid = in.r_valid; \
        top_->port##_r_bits_id = in.r_id; \
        top_->port##_r_bits_resp = in.r_resp; \
        top_->port##_r_bits_last = in.r_last; \
        std::memcpy(&top_->port##_r_bits_data, in.r_data, sizeof top_->port##_r_bits_data); \
    } while (0)

void Soc::drive(const Axi4In& mem, const Axi4In& mmio, bool uart_irq) {
    DRIVE(mem, mem);
    DRIVE(mmio, mmio);
    top_->uartIrq = uart_irq;
}

#if VM_TRACE
void Soc::dump(uint64_t time) {
    if (trace_->open) trace_->file.dump(time);
}

void Soc::trace_begin(const std::string& file) {
    top_->trace(&trace_->file, 99);
    trace_->file.set_time_unit("1ns");
    trace_->file.set_time_resolution("1ns");
    trace_->file.open(file.c_str());
    if (!trace_->file.isOpen()) fatal("cannot write the waveform '%s'", file.c_str());
    trace_->open = true;
}

void Soc::trace_end() {
    if (trace_->open) trace_->file.close();
    trace_->open = false;
}
#else
void Soc::dump(uint64_t) {}
void Soc::trace_begin(const std::string&) {}
void Soc::trace_end() {}
#endif

void Soc::save_state(VerilatedSerialize& state) { state << *top_; }
void Soc::restore_state(VerilatedDeserialize& state) { state >> *top_; }

void Soc::save_to(std::vector<uint8_t>& state) {
    MemorySave memory(state);
    save_state(memory);
}

void Soc::restore_from(const std::vector<uint8_t>& state) {
    MemoryRestore memory(state);
    restore_state(memory);
}
