// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folios.h"
#include "modes.h"
#include "settings.h"
#include "tap.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23	/* since Linux 5.14 */
#endif
#define CANARIES 64	/* pages, spread over memory by allocating them between others */
#define MARGIN (2 * MIB)	/* left free, so that nothing is killed for want of memory */

long hugetlb_pages, hugetlb_copies;

static unsigned long page_size;
static uint64_t *canary[CANARIES];

static uint64_t mark(const void *address)
{
	return (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15UL | 1;
}

void set_canaries(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	for (int i = 0; i < CANARIES; i++) {
		/* A page apart each, so that they lie in blocks of their own. */
		canary[i] = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		for (unsigned long j = 0; j < page_size / 8; j++)
			canary[i][j] = mark(&canary[i][j]);
	}
}

static unsigned long bad_canaries(void)
{
	unsigned long bad = 0;

	for (int i = 0; i < CANARIES; i++)
		for (unsigned long j = 0; j < page_size / 8; j++)
			bad += canary[i][j] != mark(&canary[i][j]);
	return bad;
}

static unsigned long free_bytes(void)
{
	return vmstat("nr_free_pages") * page_size;
}

/*
 * Words that are not zero; then dirties them all. Pages are there before they are read, or the zero page would be what is
 * read. Eight words at a time: this is where a simulated machine spends its time.
 */
static unsigned long dirty(uint64_t *memory, unsigned long bytes)
{
	unsigned long bad = 0;

	if (madvise(memory, bytes, MADV_POPULATE_WRITE))
		die("madvise(MADV_POPULATE_WRITE)");
	for (uint64_t *line = memory; line < memory + bytes / 8; line += 8) {
		uint64_t any = line[0] | line[1] | line[2] | line[3] | line[4] | line[5] | line[6] | line[7];

		for (int i = 0; any && i < 8; i++)
			bad += line[i] != 0;
		line[0] = line[1] = line[2] = line[3] = line[4] = line[5] = line[6] = line[7] = ~0UL;
	}
	return bad;
}

/* Anonymous memory in folios of a size, as far as there are any: how many words were not zero. */
static unsigned long anonymous(unsigned long bytes, unsigned long folio_kib)
{
	unsigned long raw_bytes, bad;
	char *raw;

	bad = dirty((uint64_t *)map_folios(bytes, folio_kib, &raw, &raw_bytes), bytes);
	munmap(raw, raw_bytes);
	return bad;
}

/* NULL if there is none. */
static void *map_hugetlb(void)
{
	void *memory = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* A huge page of hugetlb's pool, which first comes from the free lists and then comes back dirty. */
static unsigned long pooled(void)
{
	unsigned long bad = 0;

	set_if_there(HUGETLB_POOL, "1");
	for (int i = 0; i < 2; i++) {
		void *memory = map_hugetlb();

		if (!memory)
			break;
		bad += dirty(memory, HUGE);
		munmap(memory, HUGE);
		hugetlb_pages++;
	}
	set_if_there(HUGETLB_POOL, "0");
	return bad;
}

void copied_hugetlb(const char *what)
{
	bool plenty = free_bytes() > 16 * HUGE;

	set_if_there(HUGETLB_POOL, "2");
	uint64_t *memory = map_hugetlb();

	if (memory)
		dirty(memory, HUGE);
	pid_t child = memory ? fork() : -1;

	if (child == 0) {
		memory[0] = 1;	/* copies; without a page for that, SIGBUS */
		_exit(0);
	}
	int status = -1;

	if (child > 0)
		waitpid(child, &status, 0);
	if (status && !plenty) {
		printf("# %s: no memory for two pages of hugetlb's, none was copied\n", what);
	} else {
		void *again = status ? NULL : map_hugetlb();
		unsigned long bad = again ? dirty(again, HUGE) : 0;

		check(again && !bad, "%s: a page of hugetlb's that had a copy in it is zero (%lu words are not)", what, bad);
		hugetlb_copies++;
		if (again)
			munmap(again, HUGE);
	}
	if (memory)
		munmap(memory, HUGE);
	set_if_there(HUGETLB_POOL, "0");
}

/* Memory of a file in memory: shmem. */
static unsigned long shared(unsigned long bytes)
{
	int fd = memfd_create("verify", 0);

	if (fd < 0 || ftruncate(fd, bytes)) {
		close(fd);
		return 0;
	}
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	unsigned long bad = memory == MAP_FAILED ? 0 : dirty(memory, bytes);

	if (memory != MAP_FAILED)
		munmap(memory, bytes);
	close(fd);
	return bad;
}

/* Copies of pages: what a child sees must be what the parent wrote, and its new pages zero. */
static unsigned long forked(unsigned long bytes)
{
	uint64_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long bad = 0;
	int status = 0;

	if (memory == MAP_FAILED)
		return 0;
	dirty(memory, bytes / 2);
	pid_t child = fork();

	if (child == 0) {
		for (unsigned long i = 0; i < bytes / 16; i++)
			bad += memory[i] != ~0UL;
		bad += dirty(memory + bytes / 16, bytes / 2);
		_exit(bad != 0);
	}
	waitpid(child, &status, 0);
	bad = dirty(memory + bytes / 16, bytes / 2);
	munmap(memory, bytes);
	return bad + (status != 0);
}

void one_round(const char *what, unsigned long limit)
{
	unsigned long take = free_bytes();

	take = take > 2 * MARGIN ? (take - MARGIN) & ~(MIB - 1) : MIB;
	take = take < limit ? take : limit;
	unsigned long pages = anonymous(take, 4), large = anonymous(take / 8, LARGE_KIB);
	unsigned long shmem = shared(take / 8), copies = forked(take / 8);

	check(!pages, "%s: %lu KiB of 4 KiB pages are zero (%lu words are not)", what, take / KIB, pages);
	check(!large, "%s: %lu KiB of large folios are zero (%lu words are not)", what, take / 8192, large);
	if (limit >= HUGE) {
		unsigned long huge = anonymous(HUGE, HUGE_KIB), pool = pooled();

		check(!huge, "%s: a huge page is zero (%lu words are not)", what, huge);
		check(!pool, "%s: a page of hugetlb's is zero twice (%lu words are not)", what, pool);
	}
	check(!shmem, "%s: %lu KiB of shmem are zero (%lu words are not)", what, take / 8192, shmem);
	check(!copies, "%s: a child's pages are right (%lu are not)", what, copies);
	unsigned long bad = bad_canaries();

	check(!bad, "%s: canaries are untouched (%lu words are not)", what, bad);
}

