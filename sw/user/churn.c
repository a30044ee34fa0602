// SPDX-License-Identifier: BSD-3-Clause
/*
 * churn: memory allocated and freed as fast as one can, by several tasks at once: what other proposals for the page
 * allocator were measured with.
 *
 *   write-truncate  a file in memory is written and truncated again: are pages that were just freed still in the caches?
 *                   (Morton 2002, Gorman 2009, on freeing hot and cold)
 *   fault           anonymous memory is touched and unmapped; will-it-scale's page_fault1 (Lu 2018, on the pcp batch)
 *   fault-file      the same with private pages of a file, which are copied; page_fault2
 *   copy            a file in memory is written in pieces and removed, like dd (Morton 2007, on zone->lock)
 *   exec            a program is started and ends (Porter 2007, on zone->lock)
 *   start           a process with many huge pages begins: each is touched (Pusukuri 2016, on clearing by several)
 *   cow             a process is forked, and the child writes to each huge page that it has from its parent (the same)
 *
 * The tasks begin together. One JSON line each, with time, and cycles over all tasks.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "folios.h"
#include "settings.h"

#define PIECE (64 * KIB)	/* of what is written at a time */
#define MAX_TASKS 64
#define MAX_SIZES 32

static unsigned long size, iterations = 16, tasks = 1;
static unsigned long sizes[MAX_SIZES] = { 512 * KIB };
static long page;
static char *source;	/* of what is written */
static char *shared;	/* huge pages that a task has before it begins */
static bool keep_settings;	/* of transparent huge pages */

static int memory_file(unsigned long bytes)
{
	int fd = memfd_create("churn", 0);

	if (fd < 0 || ftruncate(fd, bytes))
		die("memfd_create");
	return fd;
}

static void write_all(int fd)
{
	for (unsigned long done = 0; done < size; done += PIECE)
		if (pwrite(fd, source, size - done < PIECE ? size - done : PIECE, done) < 0)
			die("write");
}

static void nothing(int fd)
{
	(void)fd;
}

static void write_truncate(int fd)
{
	write_all(fd);
	if (ftruncate(fd, 0))
		die("ftruncate");
}

static void touch(int flags, int fd)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | flags, fd, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	madvise(memory, size, MADV_NOHUGEPAGE);
	for (unsigned long i = 0; i < size; i += page)
		*(volatile char *)(memory + i) = 1;
	munmap(memory, size);
}

static void fault(int fd)
{
	(void)fd;
	touch(MAP_ANONYMOUS, -1);
}

static void fault_file(int fd)
{
	touch(0, fd);
}

static void copy(int fd)
{
	int to = memory_file(0);

	(void)fd;
	write_all(to);
	close(to);
}

/* Runs something in a process of its own, to its end. */
static void in_child(void (*child)(void))
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		child();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) < 0 || status) {
		fprintf(stderr, "churn: a child process failed\n");
		exit(2);
	}
}

static void become_true(void)
{
	execl("/bin/true", "true", (char *)NULL);
	die("/bin/true");
}

static void exec(int fd)
{
	(void)fd;
	in_child(become_true);
}

static void touch_huge(char *memory)
{
	for (unsigned long i = 0; i < size; i += HUGE_KIB * KIB)
		*(volatile char *)(memory + i) = 1;
}

static char *map_huge(void)
{
	unsigned long raw_bytes;
	char *raw;

	if (!keep_settings)
		set_folios(HUGE_KIB);
	return map_folios(size, HUGE_KIB, &raw, &raw_bytes);
}

static void begin_huge(void)
{
	touch_huge(map_huge());
}

static void start(int fd)
{
	(void)fd;
	in_child(begin_huge);
}

static void share_huge(int fd)
{
	(void)fd;
	shared = map_huge();
	touch_huge(shared);
}

static void write_shared(void)
{
	touch_huge(shared);
}

static void cow(int fd)
{
	(void)fd;
	in_child(write_shared);
}

static const struct kind {
	const char *name;
	void (*prepare)(int fd), (*once)(int fd);
} kinds[] = {
	{ "write-truncate", nothing, write_truncate }, { "fault", nothing, fault }, { "fault-file", write_all, fault_file },
	{ "copy", nothing, copy }, { "exec", nothing, exec }, { "start", nothing, start }, { "cow", share_huge, cow },
};

#define KINDS (sizeof kinds / sizeof kinds[0])

/* What the tasks share. */
struct board {
	pthread_barrier_t barrier;
	unsigned long cycles[MAX_TASKS];
};

/* Not inlined: profiles go by its name. */
static __attribute__((noinline)) void task(const struct kind *kind, struct board *board, unsigned long number)
{
	int fd = memory_file(size);

	kind->prepare(fd);
	kind->once(fd);	/* what is done for the first time takes longer */
	pthread_barrier_wait(&board->barrier);
	unsigned long begin = cycle();

	for (unsigned long i = 0; i < iterations; i++)
		kind->once(fd);
	board->cycles[number] = cycle() - begin;
	pthread_barrier_wait(&board->barrier);
}

static void run(const struct kind *kind)
{
	struct board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t shared;
	unsigned long cycles = 0, ns;
	int failed = 0;

	if (board == MAP_FAILED)
		die("mmap");
	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&board->barrier, &shared, tasks + 1);
	for (unsigned long t = 0; t < tasks; t++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (child == 0) {
			task(kind, board, t);
			_exit(0);
		}
	}
	pthread_barrier_wait(&board->barrier);
	ns = now_ns();
	pthread_barrier_wait(&board->barrier);
	ns = now_ns() - ns;
	for (unsigned long t = 0; t < tasks; t++) {
		int status;

		wait(&status);
		failed |= status;
		cycles += board->cycles[t];
	}
	munmap(board, sizeof *board);
	if (failed)
		exit(2);

	unsigned long pages = (size + page - 1) / page * iterations * tasks;

	printf("{\"test\": \"churn\", \"kind\": \"%s\", \"bytes\": %lu, \"tasks\": %lu, \"iterations\": %lu, \"pages\": %lu, \"ns\": %lu, "
	       "\"cycles\": %lu, \"cycles_per_page\": %lu, \"mhz\": %lu}\n",
	       kind->name, size, tasks, iterations, pages, ns, cycles, cycles / pages, clock_mhz());
	fflush(stdout);
}

/* 64,512K,2M */
static void choose_sizes(char *list)
{
	unsigned count = 0;

	for (char *text = strtok(list, ","); text; text = strtok(NULL, ",")) {
		char *unit;

		if (count == MAX_SIZES) {
			fprintf(stderr, "churn: -s: at most %d sizes\n", MAX_SIZES);
			exit(2);
		}
		sizes[count] = number("-s", text, &unit, 1, 1UL << 30);
		if (*unit == 'K' || *unit == 'M')
			sizes[count] *= *unit++ == 'K' ? KIB : KIB * KIB;
		if (*unit || sizes[count] > 1UL << 30) {
			fprintf(stderr, "churn: -s: '%s' is not a size up to 1024M, like 64, 512K, 2M\n", text);
			exit(2);
		}
		count++;
	}
	if (!count) {
		fprintf(stderr, "churn: -s: at least one size\n");
		exit(2);
	}
	if (count < MAX_SIZES)
		sizes[count] = 0;
}

static const char usage[] =
	"Usage: churn [option ...] [KIND ...]\n"
	"Allocates and frees memory. KIND: write-truncate, fault, fault-file, copy, exec, start, cow (all)\n\n"
	"  -s SIZES  memory at a time, of each task: 64,512K,2M measures with each of these (512K; start and cow touch a byte\n"
	"            of each 2M)\n"
	"  -n N      how often (16)\n"
	"  -t N      tasks at once (1)\n"
	"  -k        keep the settings of transparent huge pages, which start and cow make otherwise\n";

static const struct kind *kind_named(const char *name)
{
	for (size_t k = 0; k < KINDS; k++)
		if (!strcmp(name, kinds[k].name))
			return &kinds[k];
	fprintf(stderr, "churn: there is no '%s'\n%s", name, usage);
	exit(2);
}

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "s:n:t:kh")) != -1;) {
		switch (c) {
		case 's': choose_sizes(optarg); break;
		case 'n': iterations = number("-n", optarg, NULL, 1, 1UL << 20); break;
		case 'k': keep_settings = true; break;
		case 't': tasks = number("-t", optarg, NULL, 1, MAX_TASKS); break;
		case 'h': fputs(usage, stdout); return 0;
		default: fputs(usage, stderr); return 2;
		}
	}
	page = sysconf(_SC_PAGESIZE);
	source = calloc(1, PIECE);
	if (!source)
		die("calloc");
	for (int k = optind; k < argc; k++)
		kind_named(argv[k]);
	for (unsigned i = 0; i < MAX_SIZES && sizes[i]; i++) {
		size = sizes[i];
		for (size_t k = 0; k < KINDS && optind == argc; k++)
			run(&kinds[k]);
		for (int k = optind; k < argc; k++)
			run(kind_named(argv[k]));
	}
	return 0;
}
