// SPDX-License-Identifier: BSD-3-Clause
#include "profile.h"

#include <algorithm>
#include <cstdio>

#include "fatal.h"
#include "probes.h"

namespace {

constexpr size_t kDeepest = 128;

uint64_t length(uint32_t instruction) { return (instruction & 3) == 3 ? 4 : 2; }

// jal ra; jalr ra; c.jalr.
bool is_call(uint32_t i) { return (i & 0xfff) == 0x0ef || (i & 0xfff) == 0x0e7 || ((i & 0xf07f) == 0x9002 && (i & 0xf80) != 0); }

// ret; c.jr ra.
bool is_return(uint32_t i) { return i == 0x8067 || (i & 0xffff) == 0x8082; }

// mv tp, a1, with which Linux's __switch_to goes to another task.
bool is_switch(uint32_t i) { return i == 0x58213 || (i & 0xffff) == 0x822e; }

bool is_kernel(uint64_t pc) { return static_cast<int64_t>(pc) < 0; }

}  // namespace

void Profile::cycle(uint64_t number) {
    if (file_.empty()) return;
    for (const Step& step : probe_steps()) {
        Hart& hart = harts_[step.hart];
        if (step.traps) {
            leave(hart, step.pc);
            if (hart.stack.size() < kDeepest) hart.stack.push_back({step.pc, step.pc, true});
        } else if (step.retires) {
            retire(hart, step.pc, step.instruction, step.result);
            if (step.trap_returns) hart.leaving = Leaving::kTrap;
        }
    }
    if (number % every_ == 0) sample(every_);
}

void Profile::skipped(uint64_t from, uint64_t cycles) {
    const uint64_t samples = (from + cycles) / every_ - from / every_;
    if (samples != 0) sample(samples * every_);
}

void Profile::retire(Hart& hart, uint64_t pc, uint32_t instruction, uint64_t result) {
    leave(hart, pc);
    hart.pc = pc;
    if (is_call(instruction)) {
        if (hart.stack.size() < kDeepest) hart.stack.push_back({pc, pc + length(instruction), false});
    } else if (is_return(instruction)) {
        hart.leaving = Leaving::kReturn;
    } else if (is_switch(instruction) && is_kernel(pc)) {
        hart.others[hart.task] = std::move(hart.stack);
        hart.task = result;
        hart.stack = std::move(hart.others[hart.task]);
    }
}

// Removes the frames of what the instruction before `pc` has left. Where that does not fit the stack, removes all that may be wrong.
void Profile::leave(Hart& hart, uint64_t pc) {
    Stack& stack = hart.stack;
    const auto trap = std::find_if(stack.rbegin(), stack.rend(), [](const Frame& frame) { return frame.trap; });
    if (hart.leaving == Leaving::kReturn) {
        const auto call = std::find_if(stack.rbegin(), trap, [pc](const Frame& frame) { return frame.returns == pc; });
        stack.erase(call == trap ? trap.base() : call.base() - 1, stack.end());
    } else if (hart.leaving == Leaving::kTrap) {
        const bool back = trap != stack.rend() && (is_kernel(pc) || pc == trap->returns || pc == trap->returns + 4);  // 4: after ecall
        stack.erase(back ? trap.base() - 1 : stack.begin(), stack.end());
    }
    hart.leaving = Leaving::kNo;
}

void Profile::sample(uint64_t cycles) {
    for (const auto& [number, hart] : harts_) {
        std::vector<uint64_t> key{static_cast<uint64_t>(number)};
        for (const Frame& frame : hart.stack) key.push_back(frame.at);
        key.push_back(hart.pc);
        cycles_[key] += cycles;
    }
}

void Profile::write() const {
    if (file_.empty()) return;
    FILE* out = std::fopen(file_.c_str(), "w");
    if (out == nullptr) fatal("cannot write '%s'", file_.c_str());
    for (const auto& [key, cycles] : cycles_) {
        std::fprintf(out, "%lu", key[0]);
        for (size_t n = 1; n < key.size(); n++) std::fprintf(out, ";%lx", key[n]);
        std::fprintf(out, " %lu\n", cycles);
    }
    std::fclose(out);
}
