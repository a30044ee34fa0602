// SPDX-License-Identifier: BSD-3-Clause
/*
 * PID 1: mounts what the shell needs, runs one shell on the console and powers the machine off when it ends, or when
 * poweroff(8) asks. With run=COMMAND among the kernel's arguments the shell runs that and ends.
 * A program instead of a script, because every process started costs simulated cycles.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void mount_or_warn(const char *type, const char *where)
{
	if (mount(type, where, type, 0, NULL))
		fprintf(stderr, "init: cannot mount %s: %m\n", type);
}

static volatile sig_atomic_t power_off;

static void on_power_off(int signal)
{
	(void)signal;
	power_off = 1;
}

int main(void)
{
	const struct sigaction action = { .sa_handler = on_power_off };

	sigaction(SIGUSR2, &action, NULL);	/* what busybox's poweroff sends */
	mount_or_warn("devtmpfs", "/dev");
	mount_or_warn("proc", "/proc");
	mount_or_warn("sysfs", "/sys");
	mount_or_warn("debugfs", "/sys/kernel/debug");

	/* The kernel could not open it where only devtmpfs has it. */
	int console = open("/dev/console", O_RDWR | O_NOCTTY);

	for (int fd = 0; console >= 0 && fd < 3; fd++)
		dup2(console, fd);
	if (console > 2)
		close(console);

	pid_t shell = fork();

	if (shell == 0) {
		setenv("PATH", "/usr/bin:/bin:/usr/sbin:/sbin", 1);
		setenv("HOME", "/root", 1);
		setenv("TERM", "vt100", 1);
		setenv("PS1", "blockzero# ", 1);
		if (chdir("/root"))
			fprintf(stderr, "init: no /root\n");

		/* The kernel gives init the arguments it does not know as environment. */
		const char *run = getenv("run");

		if (run) {
			execl("/bin/sh", "sh", "-c", run, NULL);
		} else {
			/*
			 * A session and a controlling terminal of its own: job control and Ctrl-C work. When it ends the
			 * kernel drops what the terminal has not sent yet.
			 */
			setsid();
			ioctl(0, TIOCSCTTY, 1);
			execl("/bin/sh", "sh", NULL);
		}
		fprintf(stderr, "init: cannot run /bin/sh: %m\n");
		_exit(127);
	}
	int status = -1;

	while (shell > 0 && !power_off && wait(&status) != shell)
		;
	/* Who reads the log of a run sees whether it was cut short. */
	if (getenv("run") && WIFEXITED(status))
		printf("run: ended with exit code %d\n", WEXITSTATUS(status));
	tcdrain(1);
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
