// SPDX-License-Identifier: BSD-3-Clause
/*
 * churn: pages allocated and freed as fast as one can, by several tasks at once: what other proposals for the page
 * allocator were measured with.
 *
 *   write-truncate  a file in memory is written and truncated again: are pages that were just freed still in the caches?
 *                   (Morton 2002, Gorman 2009, on freeing hot and cold)
 *   fault           anonymous memory is touched and unmapped; will-it-scale's page_fault1 (Lu 2018, on the pcp batch)
 *   fault-file      the same with private pages of a file, which are copied; page_fault2
 *   copy            a file in memory is written in pieces and removed, like dd (Porter 2007, on zone->lock)
 *
 * The tasks begin together. One JSON line each, with time, and cycles over all tasks.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
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

static unsigned long size = 512 * KIB, iterations = 16, tasks = 1;
static long page;
static char *source;	/* of what is written */

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

static const struct kind {
	const char *name;
	void (*once)(int fd);
} kinds[] = { { "write-truncate", write_truncate }, { "fault", fault }, { "fault-file", fault_file }, { "copy", copy } };

#define KINDS (sizeof kinds / sizeof kinds[0])

/* What the tasks share. */
struct board {
	pthread_barrier_t barrier;
	unsigned long cycles[MAX_TASKS];
};

static void task(const struct kind *kind, struct board *board, unsigned long number)
{
	int fd = memory_file(size);

	if (kind->once == fault_file)
		write_all(fd);
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

	printf("{\"test\": \"churn\", \"kind\": \"%s\", \"kib\": %lu, \"tasks\": %lu, \"iterations\": %lu, \"pages\": %lu, \"ns\": %lu, "
	       "\"cycles\": %lu, \"cycles_per_page\": %lu, \"mhz\": %lu}\n",
	       kind->name, size / KIB, tasks, iterations, pages, ns, cycles, cycles / pages, clock_mhz());
	fflush(stdout);
}

static const char usage[] =
	"Usage: churn [option ...] [KIND ...]\n"
	"Allocates and frees pages. KIND: write-truncate, fault, fault-file, copy (all)\n\n"
	"  -s KIB  memory at a time, of each task (512)\n"
	"  -n N    how often (16)\n"
	"  -t N    tasks at once (1)\n";

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "s:n:t:h")) != -1;) {
		switch (c) {
		case 's': size = number("-s", optarg, NULL, 1, 1UL << 20) * KIB; break;
		case 'n': iterations = number("-n", optarg, NULL, 1, 1UL << 20); break;
		case 't': tasks = number("-t", optarg, NULL, 1, MAX_TASKS); break;
		case 'h': fputs(usage, stdout); return 0;
		default: fputs(usage, stderr); return 2;
		}
	}
	page = sysconf(_SC_PAGESIZE);
	source = calloc(1, PIECE);
	if (!source)
		die("calloc");
	for (size_t k = 0; k < KINDS && optind == argc; k++)
		run(&kinds[k]);
	for (; optind < argc; optind++) {
		size_t k = 0;

		while (k < KINDS && strcmp(argv[optind], kinds[k].name))
			k++;
		if (k == KINDS) {
			fprintf(stderr, "churn: there is no '%s'\n%s", argv[optind], usage);
			return 2;
		}
		run(&kinds[k]);
	}
	return 0;
}
