// SPDX-License-Identifier: BSD-3-Clause
#include "uart.h"

#include "console.h"

namespace {
enum Register { kRbrThr = 0, kIer = 1, kIirFcr = 2, kLcr = 3, kMcr = 4, kLsr = 5, kMsr = 6, kScr = 7 };
constexpr uint8_t kIerReceived = 1, kIerThrEmpty = 2;
constexpr uint8_t kIirNone = 1, kIirThrEmpty = 2, kIirReceived = 4, kIirFifos = 0xc0;
constexpr uint8_t kLcrDlab = 0x80, kLsrData = 1, kLsrThrEmpty = 0x60, kMcrLoop = 0x10;
constexpr uint8_t kMsrConnected = 0xb0;  // DCD, DSR, CTS
constexpr size_t kFifo = 16;
}  // namespace

void Uart::update_irq() {
    irq_ = ((r_.ier & kIerReceived) && !received_.empty()) || ((r_.ier & kIerThrEmpty) && r_.thr_empty_pending);
}

void Uart::poll() {
    while (received_.size() < kFifo) {
        const int c = console_.get();
        if (c < 0) break;
        received_.push_back(static_cast<uint8_t>(c));
    }
    update_irq();
}

uint64_t Uart::read(uint64_t offset, unsigned) {
    const bool dlab = r_.lcr & kLcrDlab;
    uint8_t value = 0;
    switch (offset) {
    case kRbrThr:
        if (dlab) value = r_.dll;
        else if (!received_.empty()) {
            value = received_.front();
            received_.pop_front();
        }
        break;
    case kIer: value = dlab ? r_.dlm : r_.ier; break;
    case kIirFcr:
        value = r_.fcr & 1 ? kIirFifos : 0;
        if ((r_.ier & kIerReceived) && !received_.empty()) value |= kIirReceived;
        else if ((r_.ier & kIerThrEmpty) && r_.thr_empty_pending) {
            value |= kIirThrEmpty;
            r_.thr_empty_pending = false;
        } else value |= kIirNone;
        break;
    case kLcr: value = r_.lcr; break;
    case kMcr: value = r_.mcr; break;
    case kLsr: value = kLsrThrEmpty | (received_.empty() ? 0 : kLsrData); break;
    case kMsr:  // in loopback MCR's outputs come back, which is how drivers tell a UART
        value = r_.mcr & kMcrLoop ? static_cast<uint8_t>((r_.mcr & 2) << 3 | (r_.mcr & 1) << 5 | (r_.mcr & 0xc) << 4)
                                  : kMsrConnected;
        break;
    case kScr: value = r_.scr; break;
    default: break;
    }
    update_irq();
    return value;
}

void Uart::write(uint64_t offset, unsigned, uint64_t data) {
    const uint8_t value = static_cast<uint8_t>(data);
    const bool dlab = r_.lcr & kLcrDlab;
    switch (offset) {
    case kRbrThr:
        if (dlab) r_.dll = value;
        else {
            console_.put(value);
            r_.thr_empty_pending = true;
        }
        break;
    case kIer:
        if (dlab) r_.dlm = value;
        else {
            if (value & ~r_.ier & kIerThrEmpty) r_.thr_empty_pending = true;
            r_.ier = value & 0xf;
        }
        break;
    case kIirFcr:
        r_.fcr = value;
        if (value & 2) received_.clear();
        break;
    case kLcr: r_.lcr = value; break;
    case kMcr: r_.mcr = value & 0x1f; break;
    case kScr: r_.scr = value; break;
    default: break;
    }
    update_irq();
}

void Uart::save_state(VerilatedSerialize& state) const {
    save(state, r_);
    save(state, irq_);
    save(state, received_);
}

void Uart::restore_state(VerilatedDeserialize& state) {
    restore(state, r_);
    restore(state, irq_);
    restore(state, received_);
}
