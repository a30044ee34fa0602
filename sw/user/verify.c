// SPDX-License-Identifier: BSD-3-Clause
/*
 * verify: is memory that should be zero zero, and is memory that should be left alone left alone?
 *
 * In every mode in turn, and while modes change: takes nearly all free memory, checks every byte, dirties it and gives
 * it back, in several sizes of folio and by several kinds of allocation. Canary pages, filled with a pattern, stay
 * throughout and are checked after each step. TAP output.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <glob.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folios.h"
#include "modes.h"

#define MIB (1024UL * 1024)
#define CANARIES 64	/* pages, spread over memory by allocating them between others */
#define MARGIN (2 * MIB)	/* left free, so that nothing is killed for want of memory */
#define ENGINE_FILES "/sys/kernel/debug/*.blockzero/"
#define HUGETLB_POOL "/proc/sys/vm/nr_hugepages"
#define HUGE (HUGE_KIB * KIB)
#define LARGE_KIB 64
#define DRIVER "/sys/bus/platform/drivers/blockzero/"
#define TIMEOUT_FILE "/sys/module/blockzero/parameters/timeout_ms"

static unsigned int tests, failures;
static unsigned long page_size, most = ~0UL;	/* bytes taken at a time */
static unsigned long hugetlb_pages;		/* checked so far */
static uint64_t *canary[CANARIES];

static int check(int good, const char *format, ...)
{
	va_list arguments;

	printf(good ? "ok %u - " : "not ok %u - ", ++tests);
	failures += !good;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	return good;
}

static uint64_t mark(const void *address)
{
	return (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15UL | 1;
}

static void set_canaries(void)
{
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

/* Words that are not zero; then dirties them all. Eight at a time: this is where a simulated machine spends its time. */
static unsigned long dirty(uint64_t *memory, unsigned long bytes)
{
	unsigned long bad = 0;

	for (uint64_t *line = memory; line < memory + bytes / 8; line += 8) {
		uint64_t any = line[0] | line[1] | line[2] | line[3] | line[4] | line[5] | line[6] | line[7];

		for (int i = 0; any && i < 8; i++)
			bad += line[i] != 0;
		line[0] = line[1] = line[2] = line[3] = line[4] = line[5] = line[6] = line[7] = ~0UL;
	}
	return bad;
}

/* In folios of a size, as far as there are any. */
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

/* A page that comes back dirty to the pool is replaced by one that kscrubd has zeroed. */
static void renewed(const char *what)
{
	long before = vmstat("scrub_hugetlb"), rose = 0;

	set_if_there(HUGETLB_POOL, "1");
	for (int i = 0; i < 2; i++) {
		unsigned long *memory = map_hugetlb();

		if (!memory)
			break;
		check(memory[i] == 0, "%s: a page of hugetlb's is zero, %s", what, i ? "again" : "first");
		memory[i] = memory[i + 1] = ~0UL;
		munmap(memory, HUGE);
		for (int look = 0; look < 25 && rose == 0; look++) {
			usleep(20000);
			rose = vmstat("scrub_hugetlb") - before;
		}
	}
	set_if_there(HUGETLB_POOL, "0");
	check(rose > 0, "%s: a page that came back to hugetlb's pool was replaced (%ld)", what, rose);
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

static void one_round(const char *what, unsigned long limit)
{
	unsigned long take = free_bytes();

	take = take > 2 * MARGIN ? (take - MARGIN) & ~(MIB - 1) : MIB;
	take = take < limit ? take : limit;
	unsigned long pages = anonymous(take, 4), large = anonymous(take / 8, LARGE_KIB);
	unsigned long shmem = shared(take / 8), copies = forked(take / 8);

	check(!pages, "%s: %lu MiB of 4 KiB pages are zero (%lu words are not)", what, take / MIB, pages);
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

static void round_in_mode(enum mode mode, long pool)
{
	char what[64];
	const char *why;

	if (!mode_available(mode, &why)) {
		printf("# SKIP mode %s: %s\n", mode_names[mode], why);
		return;
	}
	mode_set(MODE_STOCK);	/* what was zeroed in another mode is forgotten */
	mode_set(mode);
	long in_fault = vmstat("zero_engine_folio"), before_cpu = vmstat("scrub_cpu_pages"), before_engine = vmstat("scrub_engine_pages"), hit = vmstat("zeroed_hit");
	pool_fill(mode);
	long have = vmstat("nr_free_zeroed");

	snprintf(what, sizeof what, "mode %s", mode_names[mode]);
	if (mode_has_pool(mode)) {
		check(have >= pool, "%s: %ld pages are zeroed ahead (of %ld)", what, have, pool);
		/* The CPU is slow, and its own zeroing is checked without an engine, too. */
		one_round(what, mode == MODE_CPU && most > HUGE ? HUGE : most);
		for (int again = 0; again < 2 && vmstat("zeroed_hit") <= hit; again++) {
			/* Compaction beside this drops marks. */
			printf("# %s: no zeroed page was used, %ld are left; once more\n", what, vmstat("nr_free_zeroed"));
			mode_set(MODE_STOCK);
			mode_set(mode);
			pool_fill(mode);
			unsigned long bad = anonymous(MIB, 4);

			check(!bad, "%s: once more, pages are zero (%lu words are not)", what, bad);
		}
		check(vmstat("zeroed_hit") > hit, "%s: zeroed pages are used (%ld)", what, vmstat("zeroed_hit") - hit);
		if (most >= HUGE && access(HUGETLB_POOL, F_OK) == 0)
			renewed(what);
		long cpu = vmstat("scrub_cpu_pages") - before_cpu, engine = vmstat("scrub_engine_pages") - before_engine;

		check(mode == MODE_CPU ? cpu > 0 && engine == 0 : engine > 0 && cpu == 0, "%s: %ld pages by the CPU, %ld by the engine", what, cpu, engine);
	} else {
		/* Here the CPU clears all or the most of it, and is slow; and what stock does is not ours. */
		unsigned long limit = mode == MODE_STOCK ? MIB : HUGE;

		one_round(what, most > limit ? limit : most);
		check(vmstat("zeroed_hit") <= hit, "%s: no zeroed page is used", what);
	}
	in_fault = vmstat("zero_engine_folio") - in_fault;
	check(mode == MODE_STOCK || mode == MODE_CPU ? in_fault <= 0 : in_fault > 0, "%s: %ld folios by the engine in their fault", what, in_fault);
}

/* Modes change every few milliseconds in a child while the parent takes and checks memory. */
static void toggled(unsigned int seed)
{
	pid_t child = fork();

	if (child == 0) {
		const char *why;

		srandom(seed);
		for (;;) {
			enum mode mode = random() % MODE_NONE;

			if (mode_available(mode, &why))
				mode_set(mode);
			usleep(random() % 20000);
		}
	}
	one_round("modes changing", most < 2 * MIB ? most : 2 * MIB);
	kill(child, 9);
	waitpid(child, NULL, 0);
}

static int write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	fputs(text, file);
	return fclose(file);
}

static FILE *engine_file(const char *name, const char *how)
{
	char pattern[64];
	glob_t found;

	snprintf(pattern, sizeof pattern, ENGINE_FILES "%s", name);
	if (glob(pattern, 0, NULL, &found))
		return NULL;
	FILE *file = fopen(found.gl_pathv[0], how);

	globfree(&found);
	return file;
}

static int inject(unsigned int faults)
{
	FILE *file = engine_file("test", "w");

	if (!file)
		return -1;
	fprintf(file, "%u\n", faults);
	return fclose(file);
}

/* One of the driver's counters, over all channels. */
static long engine_counter(const char *name)
{
	FILE *file = engine_file("counters", "r");
	char key[64];
	long sum = 0, value;

	while (file && fscanf(file, "channel%*u_%63s %ld\n", key, &value) == 2)
		sum += strcmp(key, name) ? 0 : value;
	if (file)
		fclose(file);
	return sum;
}

static const struct fault {
	unsigned int bit;	/* of the engine's TEST register */
	const char *name, *counter;	/* what rises when it happens, */
	long least;			/* and by how much */
} faults[] = {
	{ 1, "hangs", "aborts", 1 }, { 2, "bus errors", "jobs_bus_error", 1 }, { 4, "no interrupt", "jobs_ok", 1 },
	{ 8, "spurious interrupts", "interrupts", 100 }, { 16, "refused", "jobs_rejected", 1 },
};

static void with_fault(const struct fault *fault)
{
	char what[64];
	const char *why;

	snprintf(what, sizeof what, "engine fault '%s'", fault->name);
	if (!mode_available(MODE_ENGINE, &why)) {
		printf("# SKIP %s: %s\n", what, why);
		return;
	}
	mode_set(MODE_STOCK);

	long before = engine_counter(fault->counter), rose = 0;

	if (inject(fault->bit)) {
		printf("# SKIP %s: the engine has no fault injection\n", what);
		return;
	}
	mode_set(MODE_ENGINE);	/* kscrubd begins */
	for (int i = 0; i < 100 && rose < fault->least; i++) {
		usleep(5000);
		rose = engine_counter(fault->counter) - before;
	}
	check(rose >= fault->least, "%s: it happens (%s: %ld)", what, fault->counter, rose);
	one_round(what, MIB);
	inject(0);
	one_round("after that fault", MIB);
}

/* The driver goes while kscrubd uses the engine, and comes back. */
static void without_driver(void)
{
	char device[64];
	const char *why;
	glob_t found;

	if (glob(DRIVER "*.blockzero", 0, NULL, &found)) {
		printf("# SKIP without the driver: no engine is bound to it\n");
		return;
	}
	snprintf(device, sizeof device, "%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);

	mode_set(MODE_STOCK);
	mode_set(MODE_ENGINE);	/* kscrubd begins */
	usleep(1000);
	check(write_file(DRIVER "unbind", device) == 0 && !mode_available(MODE_ENGINE, &why), "the driver lets go of the engine at work");
	one_round("without the driver", MIB);

	check(write_file(DRIVER "bind", device) == 0 && mode_available(MODE_ENGINE, &why), "the driver takes the engine again");
	mode_set(MODE_STOCK);
	long before = vmstat("scrub_engine_pages");

	mode_set(MODE_ENGINE);
	pool_fill(MODE_ENGINE);
	long pages = vmstat("scrub_engine_pages") - before;

	check(pages > 0, "with the driver again: %ld pages by the engine", pages);
	one_round("with the driver again", MIB);
}

static const char usage[] =
	"Usage: verify [-S SEED] [-m MIB] [-f]\n"
	"  -S SEED  of the changes of mode\n"
	"  -m MIB   take at most so much memory at a time (nearly all there is)\n"
	"  -f       also with every fault the engine can inject, and without its driver, 1 MiB at a time\n";

int main(int argc, char **argv)
{
	unsigned int seed = 1;
	int faults_wanted = 0;

	for (int c; (c = getopt(argc, argv, "S:fm:")) != -1;) {
		if (c == 'S')
			seed = strtoul(optarg, NULL, 0);
		else if (c == 'f')
			faults_wanted = 1;
		else if (c == 'm' && strtoul(optarg, NULL, 0) > 0)
			most = strtoul(optarg, NULL, 0) * MIB;
		else
			return fputs(usage, stderr), 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	page_size = sysconf(_SC_PAGESIZE);
	printf("# seed %u\n", seed);
	set_folios(LARGE_KIB | HUGE_KIB);
	set_thp(LARGE_KIB, "shmem_enabled", "always");
	keep_ready(most >= HUGE);
	set_canaries();

	long thp = vmstat("thp_fault_alloc");

	round_in_mode(MODE_STOCK, 0);
	round_in_mode(MODE_ENGINE, 1024);
	round_in_mode(MODE_DEMAND, 0);
	round_in_mode(MODE_CPU, 1024);
	toggled(seed);
	if (faults_wanted)
		write_file(TIMEOUT_FILE, "5");	/* do not wait long for an engine that hangs */
	for (unsigned int i = 0; faults_wanted && i < sizeof faults / sizeof faults[0]; i++)
		with_fault(&faults[i]);
	if (faults_wanted)
		without_driver();
	mode_set(MODE_STOCK);
	if (most >= HUGE) {
		thp = vmstat("thp_fault_alloc") - thp;
		check(thp > 0, "%ld huge pages were there to check", thp);
		long ready = vmstat("zeroed_ready");

		check(ready, "%ld of them were ready", ready);	/* -1: this kernel has none */
		if (access(HUGETLB_POOL, F_OK) == 0)
			check(hugetlb_pages > 0, "hugetlb had pages to check, %ld times", hugetlb_pages);
		else
			printf("# SKIP hugetlb: this kernel has none\n");
	}
	printf("1..%u\n# %u failed\n", tests, failures);
	return failures != 0;
}
