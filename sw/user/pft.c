// SPDX-License-Identifier: BSD-3-Clause
/*
 * pft: page-fault test, in the manner of Christoph Lameter's of 2004.
 *
 * Allocates memory, touches some cache lines of every page with one or more threads, and counts what a fault costs, in
 * each way of providing zeroed pages. Modes alternate within one boot. Prints the original's columns, and one JSON
 * line for each measurement.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ballast.h"
#include "clock.h"
#include "cold.h"
#include "engine.h"
#include "folios.h"
#include "modes.h"
#include "settings.h"
#include "touch.h"

#define MAX_CASES 32
#define MAX_ROUND 100
#define MAX_WORDS 64

struct test {
	unsigned long folio_kib;	/* 4: base pages; more: that size of folio, by madvise */
	unsigned long lines;		/* cache lines touched in each folio */
	unsigned long rep;		/* allocations in rapid succession, one measurement of all */
};

struct sample {
	unsigned long cycles, instructions, user_cycles, wall_ns, fault_ns, faults;
	unsigned long cpu_ns;	/* of all tasks; 0 where there is one hart, and nobody can help */
	long hits, misses, pool;
	long engine_busy_cycles, engine_bytes;	/* what the engine does on demand */
};

static struct options {
	unsigned long size_kib, reps, threads, ballast_keep_kib, seed, harts;
	struct test tests[MAX_CASES];
	int test_count;
	bool modes[MODES], asks;
} opt = { .size_kib = 512, .reps = 3, .threads = 1, .seed = 1 };

static unsigned long ns(const struct timespec *t)
{
	return t->tv_sec * 1000000000UL + t->tv_nsec;
}

static unsigned long faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static unsigned long run_bytes(const struct test *test)
{
	unsigned long stride = test->folio_kib * KIB, bytes = opt.size_kib * KIB;

	return bytes < stride * opt.threads ? stride * opt.threads : bytes / stride * stride;
}

/* What the allocator's counters rose by since the last look; the pages in the pool. */
static long count_allocations(struct sample *s)
{
	static long hits, misses;
	const char *counters = vmstat_read();
	long hits_now = vmstat_find(counters, "zeroed_hit"), misses_now = vmstat_find(counters, "zeroed_miss");

	s->hits = hits_now - hits;
	s->misses = misses_now - misses;
	hits = hits_now;
	misses = misses_now;
	return vmstat_find(counters, "nr_free_zeroed");
}

/* What the engine's counters rose by since the last look: its bytes a cycle are what its port takes. */
static void count_engine(struct sample *s)
{
	static long busy, bytes;
	const char *counters = engine_read();
	long busy_now = engine_find(counters, "busy_cycles"), bytes_now = engine_find(counters, "blocks") * LINE;

	s->engine_busy_cycles = busy_now - busy;
	s->engine_bytes = bytes_now - bytes;
	busy = busy_now;
	bytes = bytes_now;
}

/*
 * A timer tick costs what some faults do. Returns soon after one: most measurements are over before the next. It sleeps until then, because
 * a simulator skips the time in which the hart waits.
 */
static void avoid_tick(void)
{
	struct timespec tick, last;
	unsigned long since;

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	while (clock_gettime(CLOCK_MONOTONIC_COARSE, &last), since = now_ns() - ns(&last), since > (unsigned long)tick.tv_nsec / 8) {
		const struct timespec rest = { .tv_nsec = since < (unsigned long)tick.tv_nsec ? tick.tv_nsec - since : 0 };

		nanosleep(&rest, NULL);
	}
}

/* The driver's timer, every 10 ms, finds once more that the engine has nothing to do: no part of the faults that follow. */
static void let_driver_rest(void)
{
	const struct timespec more_than_its_period = { .tv_nsec = 11000000 };

	nanosleep(&more_than_its_period, NULL);
}

/* A pool's pages come from the free lists and are cold; those used last must not be at hand for the other modes then. */
static bool comparing_pools(void)
{
	return opt.asks || opt.modes[MODE_CPU] || opt.modes[MODE_ENGINE];
}

static struct sample measure(enum mode mode, long pool, const struct test *test)
{
	struct sample s = { .pool = pool };
	unsigned long bytes = run_bytes(test), stride = test->folio_kib * KIB, raw_bytes;
	char *raw;

	set_folios(test->folio_kib);
	if (mode == MODE_DEMAND)
		count_engine(&s);
	avoid_tick();
	fill_caches();

	bool helped = opt.harts > 1;
	unsigned long others = helped ? others_cpu_ns() : 0, aside_ns = 0, t0 = now_ns();

	for (unsigned long rep = 0; rep < test->rep; rep++) {
		char *base = map_folios(bytes, test->folio_kib, &raw, &raw_bytes);
		unsigned long f0 = faults_so_far(), own = own_cpu_ns();

		struct touched touched = touch_all(base, bytes, stride, test->lines, opt.threads, mode == MODE_NONE);

		s.cycles += touched.cycles;
		s.instructions += touched.instructions;
		s.fault_ns += touched.ns;
		aside_ns += touched.aside_ns;
		s.cpu_ns += helped ? own_cpu_ns() - own : 0;
		s.faults += faults_so_far() - f0;
		if (rep + 1 == test->rep) {
			s.wall_ns = now_ns() - t0 - aside_ns;
			/* The same pass over mapped memory is the user's part of it. */
			s.user_cycles = test->rep * touch_all(base, bytes, stride, test->lines, opt.threads, false).cycles;
		}
		munmap(raw, raw_bytes);
	}
	if (helped)
		s.cpu_ns += others_cpu_ns() - others;
	if (mode_has_pool(mode))
		count_allocations(&s);
	if (mode == MODE_DEMAND)
		count_engine(&s);
	return s;
}

static void print_header(void)
{
	printf(" Mode   Folio      Gb Rep Thr CLine    User  System    Wall   flt/cpu/s  fault/wsec  cycles/flt\n");
}

/* A value in ten-thousandths, with its point. Not %f: musl prints that with arithmetic of 128 bits, in software. */
#define DECIMAL "%lu.%04lu"
#define TEN_THOUSANDTHS(value) (value) / 10000, (value) % 10000

static void print_sample(enum mode mode, const struct test *test, unsigned long round, const struct sample *s)
{
	unsigned long bytes = run_bytes(test), folios = bytes / (test->folio_kib * KIB) * test->rep;
	unsigned long mhz = clock_mhz(), user = s->user_cycles / (mhz * 100), cpu = s->cycles / (mhz * 100);
	unsigned long system = cpu > user ? cpu - user : 0, wall = s->wall_ns / 100000;

	if (!opt.asks)	/* a console takes simulated time, and the record has it all */
		printf(" %-6s %4luk   " DECIMAL " %3lu %3lu %5lu " DECIMAL "s " DECIMAL "s " DECIMAL "s %11lu %11lu %11lu\n", mode_names[mode],
		       test->folio_kib, TEN_THOUSANDTHS(bytes * 10000 >> 30), test->rep, opt.threads, test->lines, TEN_THOUSANDTHS(user),
		       TEN_THOUSANDTHS(system), TEN_THOUSANDTHS(wall), s->faults * mhz * 1000000 / s->cycles, s->faults * 1000000000 / s->wall_ns,
		       s->cycles / folios);
	printf("{\"test\": \"pft\", \"mode\": \"%s\", \"folio_kib\": %lu, \"lines\": %lu, \"rep\": %lu, \"threads\": %lu, \"round\": %lu, "
	       "\"bytes\": %lu, \"folios\": %lu, \"faults\": %lu, \"cycles\": %lu, \"user_cycles\": %lu, \"instructions\": %lu, "
	       "\"wall_ns\": %lu, \"fault_ns\": %lu, \"mhz\": %lu",
	       mode_names[mode], test->folio_kib, test->lines, test->rep, opt.threads, round, bytes, folios, s->faults, s->cycles,
	       s->user_cycles, s->instructions, s->wall_ns, s->fault_ns, mhz);
	if (s->cpu_ns)
		printf(", \"cpu_ns\": %lu", s->cpu_ns);
	if (mode_has_pool(mode))
		printf(", \"zeroed_hit\": %ld, \"zeroed_miss\": %ld, \"pool_pages\": %ld", s->hits, s->misses, s->pool);
	if (mode == MODE_DEMAND)
		printf(", \"engine_busy_cycles\": %ld, \"engine_bytes\": %ld", s->engine_busy_cycles, s->engine_bytes);
	printf("}\n");
	fflush(stdout);
}

/* FOLIO:LINES[:REP] */
static void add_test(char *text)
{
	char *rest;

	if (opt.test_count == MAX_CASES) {
		fprintf(stderr, "pft: at most %d tests\n", MAX_CASES);
		exit(2);
	}
	struct test *test = &opt.tests[opt.test_count++];

	test->folio_kib = number("folio size in KiB", text, &rest, PAGE_KIB, HUGE_KIB);
	if (test->folio_kib & (test->folio_kib - 1) || *rest++ != ':') {
		fprintf(stderr, "pft: '%s' is not FOLIO:LINES or FOLIO:LINES:REP, FOLIO a power of two in KiB\n", text);
		exit(2);
	}
	if (test->folio_kib > PAGE_KIB && thp_faults(test->folio_kib) < 0) {
		fprintf(stderr, "pft: '%s': this kernel makes no folios of %lu KiB\n", text, test->folio_kib);
		exit(2);
	}
	test->lines = number("cache lines", rest, &rest, 1, test->folio_kib * KIB / LINE);
	test->rep = *rest == ':' ? number("repetitions", rest + 1, NULL, 1, 1000) : 1;
}

static void choose_modes(char *list)
{
	for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
		opt.modes[mode_wanted(name)] = true;
}

/* All that this system can do, without workers, where the user has chosen none. */
static void choose_default_modes(void)
{
	bool chosen = false;

	for (int mode = 0; mode < MODES; mode++)
		chosen |= opt.modes[mode];
	for (int mode = 0; mode < MODES && !chosen; mode++) {
		const char *why;

		if (mode_workers(mode))
			continue;
		opt.modes[mode] = mode_available(mode, &why);
		if (!opt.modes[mode])
			printf("# mode %s is left out: %s\n", mode_names[mode], why);
	}
}

static void add_default_tests(void)
{
	char defaults[][8] = { "4:1", "4:8", "4:64" };

	if (opt.test_count)
		return;
	for (unsigned i = 0; i < 3; i++)
		add_test(defaults[i]);
}

/* Every test in one mode. The pool is filled once for all tests. */
static void run_mode(enum mode mode, unsigned long round)
{
	if (comparing_pools()) {
		drain_lists();	/* what another mode zeroed is forgotten, what it used goes back */
		ease_ballast();
	}
	mode_set(mode);
	pool_fill(mode);
	if (mode == MODE_ENGINE)
		let_driver_rest();

	struct sample unused;
	long pool = mode_has_pool(mode) ? count_allocations(&unused) : 0;

	for (int t = 0; t < opt.test_count; t++) {
		if (t && comparing_pools() && !mode_has_pool(mode))
			drain_lists();
		struct sample s = measure(mode, pool, &opt.tests[t]);

		print_sample(mode, &opt.tests[t], round, &s);
	}
}

/* Every test in every mode. The modes come in another order in each round. */
static void run_round(unsigned long round)
{
	int order[MODES], count = 0;

	for (int mode = 0; mode < MODES; mode++)
		if (opt.modes[mode])
			order[count++] = mode;
	for (int i = count - 1; i > 0; i--) {
		int j = random() % (i + 1), other = order[i];

		order[i] = order[j];
		order[j] = other;
	}
	for (int i = 0; i < count; i++)
		run_mode(order[i], round);
}

static const char usage[] =
	"Usage: pft [option ...]\n"
	"Measures page faults in each way of providing zeroed pages. Settings of folio sizes, and with -k of compaction\n"
	"and watermark_boost_factor, stay as it needed them.\n\n"
	"  -m MODES   of stock, cpu, engine, demand, none, workers1, workers2, workers4; with commas (all that this system\n"
	"             can do, without workers)\n"
	"  -c CASE    FOLIO:LINES[:REP], folio size in KiB, cache lines touched in each, allocations in rapid\n"
	"             succession; may be given again (4:1 4:8 4:64)\n"
	"  -s KIB     memory allocated at a time (512)\n"
	"  -r N       rounds, the modes in another order in each (3)\n"
	"  -t N       threads (1)\n"
	"  -k KIB     first take all memory but this much and what the kernel needs (do not)\n"
	"  -S SEED    of the order of modes (1)\n"
	"  -w         prepare, then read a mode, a round and more options from standard input and measure that alone\n";

static void take_options(int argc, char **argv)
{
	optind = 1;
	for (int c; (c = getopt(argc, argv, "m:c:s:r:t:k:S:wh")) != -1;) {
		switch (c) {
		case 'm': choose_modes(optarg); break;
		case 'c': add_test(optarg); break;
		case 's': opt.size_kib = number("-s", optarg, NULL, 4, 1UL << 30); break;
		case 'r': opt.reps = number("-r", optarg, NULL, 1, 1000); break;
		case 't': opt.threads = number("-t", optarg, NULL, 1, MAX_THREADS); break;
		case 'k': opt.ballast_keep_kib = number("-k", optarg, NULL, 256, 1UL << 30); break;
		case 'S': opt.seed = number("-S", optarg, NULL, 1, 1UL << 30); break;
		case 'w': opt.asks = true; break;
		case 'h': fputs(usage, stdout); exit(0);
		default: fputs(usage, stderr); exit(2);
		}
	}
	if (optind < argc) {
		fprintf(stderr, "pft: unexpected '%s'\n%s", argv[optind], usage);
		exit(2);
	}
}

/*
 * One mode and one round, which standard input names, with more options. All is prepared by then, so a simulator can save the machine's
 * state here and go on from it for each. Rounds differ in which pages are free, and in what the caches replace next.
 */
static void run_asked(void)
{
	char line[256], *words[MAX_WORDS + 1] = { "pft" };
	int count = 1;

	clock_mhz();
	set_folios(PAGE_KIB);
	printf("pft: mode and round?\n");
	if (fgets(line, sizeof line, stdin))
		for (char *word = strtok(line, " \n"); word && count < MAX_WORDS; word = strtok(NULL, " \n"))
			words[count++] = word;
	if (count < 3) {
		fprintf(stderr, "pft: a mode and a round were expected, and options\n");
		exit(2);
	}
	enum mode mode = mode_wanted(words[1]);
	unsigned long round = number("round", words[2], NULL, 0, MAX_ROUND);

	take_options(count - 2, words + 2);
	add_default_tests();
	if (round && mmap(NULL, round * PAGE_KIB * KIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED)
		die("mmap");
	run_mode(mode, round);
	/* For a simulator that waits for it: what the end of this program takes, with all its memory to be given back, nobody measures. */
	printf("run: ended with exit code 0\n");
}

int main(int argc, char **argv)
{
	take_options(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	opt.harts = harts_prepare(opt.threads);
	modes_prepare();
	engine_read();
	cold_prepare();
	if (opt.ballast_keep_kib)
		take_ballast(opt.ballast_keep_kib);
	printf("# seed %lu\n", opt.seed);
	srandom(opt.seed);
	if (opt.asks) {
		run_asked();
	} else {
		choose_default_modes();
		add_default_tests();
		print_header();
		for (unsigned long round = 0; round < opt.reps; round++)
			run_round(round);
	}
	mode_set(MODE_STOCK);
	return 0;
}
