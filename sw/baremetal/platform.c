// SPDX-License-Identifier: BSD-3-Clause
/* A reader of flattened device trees (Devicetree Specification 0.4, chapter 5), for the few nodes a test needs. */
#include "platform.h"

#include <stddef.h>

#define MAGIC 0xd00dfeed
#define BEGIN_NODE 1
#define END_NODE 2
#define PROP 3
#define NOP 4
#define DEPTH 8

struct property {
	const uint8_t *value;
	uint32_t length;
};

struct node {
	uint32_t address_cells, size_cells;	/* of its children */
	struct property compatible, device_type, status, reg, interrupts;
};

struct platform platform;
static uintptr_t error_device;

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static uint64_t cells(const uint8_t *p, uint32_t count)
{
	uint64_t value = 0;

	while (count--) {
		value = value << 32 | be32(p);
		p += 4;
	}
	return value;
}

static bool equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Whether a list of strings has one that begins so. */
static bool lists(const struct property *list, const char *start)
{
	for (uint32_t at = 0; at < list->length; at++) {
		uint32_t n = 0;

		while (start[n] && at + n < list->length && list->value[at + n] == start[n])
			n++;
		if (!start[n])
			return true;
		while (at < list->length && list->value[at])
			at++;
	}
	return false;
}

static void set(struct node *node, const char *name, struct property property)
{
	if (equal(name, "#address-cells"))
		node->address_cells = be32(property.value);
	else if (equal(name, "#size-cells"))
		node->size_cells = be32(property.value);
	else if (equal(name, "compatible"))
		node->compatible = property;
	else if (equal(name, "device_type"))
		node->device_type = property;
	else if (equal(name, "status"))
		node->status = property;
	else if (equal(name, "reg"))
		node->reg = property;
	else if (equal(name, "interrupts"))
		node->interrupts = property;
}

static void use(const struct node *node, const struct node *parent)
{
	uint32_t address_bytes = 4 * parent->address_cells, size_bytes = 4 * parent->size_cells;

	if (node->reg.length < address_bytes + size_bytes || lists(&node->status, "disabled"))
		return;

	uintptr_t base = cells(node->reg.value, parent->address_cells);
	uint64_t size = cells(node->reg.value + address_bytes, parent->size_cells);

	if (lists(&node->device_type, "memory")) {
		if (size > platform.ram_last - platform.ram_base) {
			platform.ram_base = base;
			platform.ram_last = base + size - 1;
		}
	} else if (lists(&node->compatible, "blockzero,engine-")) {
		platform.engine = base;
		if (node->interrupts.length >= 4)
			platform.engine_irq = be32(node->interrupts.value);
	} else if (lists(&node->compatible, "riscv,plic0") || lists(&node->compatible, "sifive,plic-1.0.0")) {
		platform.plic = base;
	} else if (lists(&node->compatible, "sifive,error0")) {
		error_device = base;
	} else if (lists(&node->compatible, "riscv,clint0")) {
		platform.clint = base;
	} else if (lists(&node->compatible, "ns16550a")) {
		platform.uart = base;
	} else if (lists(&node->compatible, "litex,liteuart")) {
		platform.liteuart = base;
	} else if (lists(&node->compatible, "sifive,test0")) {
		platform.finisher = base;
	}
}

bool platform_read(const void *device_tree)
{
	const uint8_t *start = device_tree;
	struct node nodes[DEPTH];
	unsigned int depth = 0;

	if (be32(start) != MAGIC)
		return false;
	const uint8_t *p = start + be32(start + 8);
	const char *strings = (const char *)start + be32(start + 12);

	nodes[0] = (struct node){ .address_cells = 2, .size_cells = 1 };
	for (;;) {
		uint32_t token = be32(p);

		p += 4;
		if (token == BEGIN_NODE) {
			if (++depth == DEPTH)
				return false;
			nodes[depth] = (struct node){ .address_cells = 2, .size_cells = 1 };
			while (*p++)
				;
		} else if (token == PROP) {
			struct property property = { p + 8, be32(p) };

			set(&nodes[depth], strings + be32(p + 4), property);
			p += 8 + property.length;
		} else if (token == END_NODE) {
			use(&nodes[depth], &nodes[depth - 1]);
			depth--;
		} else if (token != NOP) {
			break;	/* the end */
		}
		p = start + ((p - start + 3) & ~3L);
	}
	/* LiteX's memory controller repeats its RAM up to the end of its port. */
	platform.hole = platform.liteuart ? error_device : platform.ram_last + 1;
	return platform.ram_last && platform.hole && platform.engine && platform.engine_irq && platform.plic;
}
