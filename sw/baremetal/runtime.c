// SPDX-License-Identifier: BSD-3-Clause
#include "runtime.h"

#include <stdarg.h>

#include "htif.h"
#include "platform.h"

/* The PLIC's context 0: hart 0 in machine mode. */
#define PLIC_PRIORITY(source) (platform.plic + 4 * (source))
#define PLIC_ENABLE(source) (platform.plic + 0x2000 + (source) / 32 * 4)
#define PLIC_THRESHOLD (platform.plic + 0x200000)
#define PLIC_CLAIM (platform.plic + 0x200004)
#define CLINT_MSIP(hart) (platform.clint + 4 * (hart))
#define MIE_MEIE (1UL << 11)
#define MSTATUS_MIE (1UL << 3)
#define CAUSE_EXTERNAL ((1UL << 63) | 11)

static unsigned long tests, failures, interrupts;
static unsigned int last_source;
static void (*quiet_source)(unsigned int source);

/* What each hart is to call, until it has: read by start.S. Not in .bss, which hart 0 clears while the others look here. */
void (*volatile hart_work[HARTS])(void) __attribute__((section(".data")));
static void (*volatile hart_todo)(void);
static volatile bool hart_begun;

static volatile uint32_t *reg32(uintptr_t address)
{
	return (volatile uint32_t *)address;
}

#define LITEUART_RXTX (platform.liteuart)
#define LITEUART_TXFULL (platform.liteuart + 4)

/* The UART takes a character at once, and LiteX's has a FIFO; a call of the host takes thousands of cycles, so it is given lines. */
static void put(char c)
{
	static char line[256];
	static size_t length;

	if (platform.uart) {
		*(volatile uint8_t *)platform.uart = c;
		return;
	}
	if (platform.liteuart) {
		while (*reg32(LITEUART_TXFULL))
			;
		*reg32(LITEUART_RXTX) = c;
		return;
	}
	line[length++] = c;
	if (c == '\n' || length == sizeof line) {
		htif_write(line, length);
		length = 0;
	}
}

static void put_number(uint64_t value, unsigned int base)
{
	char digits[24];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		put(digits[--n]);
}

static void vprint(const char *format, va_list arguments)
{
	for (; *format; format++) {
		if (*format != '%') {
			put(*format);
			continue;
		}
		switch (*++format) {
		case 's':
			for (const char *s = va_arg(arguments, const char *); *s; s++)
				put(*s);
			break;
		case 'u': put_number(va_arg(arguments, unsigned long), 10); break;
		case 'x': put_number(va_arg(arguments, unsigned long), 16); break;
		case 'c': put((char)va_arg(arguments, int)); break;
		default: put(*format);
		}
	}
}

void print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprint(format, arguments);
	va_end(arguments);
}

bool check(bool condition, const char *format, ...)
{
	va_list arguments;

	print(condition ? "ok %u - " : "not ok %u - ", ++tests);
	failures += !condition;
	va_start(arguments, format);
	vprint(format, arguments);
	va_end(arguments);
	put('\n');
	return condition;
}

void finish(void)
{
	print("1..%u\n# %u failed\n", tests, failures);

	bool failed = failures || !tests;

	if (!platform.finisher)
		htif_exit(failed);
	*reg32(platform.finisher) = failed ? 0x13333 : 0x5555;
	for (;;)
		;
}

void interrupt_enable(unsigned int source, void (*quiet)(unsigned int source))
{
	quiet_source = quiet;
	*reg32(PLIC_THRESHOLD) = 0;
	*reg32(PLIC_PRIORITY(source)) = 1;
	*reg32(PLIC_ENABLE(source)) = 1u << source % 32;
	__asm__ volatile("csrw mie, %0" : : "r"(MIE_MEIE));
	__asm__ volatile("csrs mstatus, %0" : : "r"(MSTATUS_MIE));
}

unsigned long interrupts_taken(unsigned int *source)
{
	unsigned long taken = *(volatile unsigned long *)&interrupts;

	interrupts -= taken;
	if (source)
		*source = last_source;
	return taken;
}

static void hart_begin(void)
{
	hart_begun = true;
	hart_todo();
}

bool hart_run(unsigned int hart, void (*work)(void))
{
	hart_todo = work;
	hart_begun = false;
	fence();
	hart_work[hart] = hart_begin;
	if (platform.clint)
		*reg32(CLINT_MSIP(hart)) = 1;	/* it may wait in the SoC's boot ROM */
	for (uint64_t end = cycle() + 100000; !hart_begun && cycle() < end;)
		;
	if (!hart_begun)
		hart_work[hart] = NULL;
	return hart_begun;
}

bool hart_idle(unsigned int hart)
{
	return !hart_work[hart];
}

/* From start.S. */
void start(const void *device_tree)
{
	int main(void);

	if (!platform_read(device_tree))
		check(false, "the device tree has RAM, a PLIC and BlockZero's engine with its interrupt");
	else
		main();
	finish();
}

/* From start.S. */
void trap(uint64_t cause, uint64_t pc, uint64_t value)
{
	if (cause == CAUSE_EXTERNAL) {
		uint32_t source = *reg32(PLIC_CLAIM);

		if (source) {
			interrupts++;
			last_source = source;
			quiet_source(source);
			fence();
			*reg32(PLIC_CLAIM) = source;
		}
		return;
	}
	check(false, "unexpected trap: cause 0x%x, pc 0x%x, value 0x%x", cause, pc, value);
	finish();
}

/* The compiler may call these. */
void *memset(void *to, int value, size_t size)
{
	for (char *p = to; size--; p++)
		*(volatile char *)p = value;
	return to;
}

void *memcpy(void *to, const void *from, size_t size)
{
	char *t = to;
	const char *f = from;

	while (size--)
		*(volatile char *)t++ = *f++;
	return to;
}
