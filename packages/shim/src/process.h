/*
 * Facts about other processes, from /proc, and signals that cannot hit the wrong process. A PID alone proves
 * nothing, because the kernel uses PIDs again. A PID and its start time name one process for ever.
 */
#ifndef KRON_PROCESS_H
#define KRON_PROCESS_H

#include "shim.h"

struct process {
  pid_t pid;
  pid_t parent;
  char state; /* as in /proc/PID/stat */
  uint64_t threads;
  uint64_t start; /* clock ticks since boot */
};

/* Reads /proc/PID/stat. False if there is no such process. */
bool process_read(pid_t pid, struct process *process);

/*
 * The start time of a process that was forked between two moments of CLOCK_BOOTTIME. The kernel takes it from that clock,
 * so two moments in the same tick tell it without a look into /proc, which costs as much as half a fork.
 */
uint64_t process_start(pid_t pid, uint64_t before_ns, uint64_t after_ns);

/* Tries with a child whether the kernel does so. Until then, and on kernels that do not, process_start reads /proc. */
void process_try_clock(void);

/* True for a process that has ended. A zombie with threads has only lost its first one. */
bool process_is_dead(const struct process *process);

/* Parses the content of /proc/PID/stat. The program's name in it may hold anything. */
bool process_parse(const char *stat, size_t size, struct process *process);

/* True if exactly this process exists and is not dead. */
bool process_lives(pid_t pid, uint64_t start);

/* A pidfd of exactly this process, or -1. The descriptor is close-on-exec. */
int process_open(pid_t pid, uint64_t start);

/* Sends a signal through a pidfd, or to the whole group that the process leads. */
int process_signal(int pidfd, int signal);
int process_signal_group(int pidfd, pid_t pid, int signal);

/* Sends the order to end a run. value: why, plus ORDER_NOW. own: an unreaped child, whose PID needs no check. */
bool process_order(pid_t pid, uint64_t start, bool own, int value);

/* Says to a run, an unreaped child, that its end was read. */
bool process_tell_taken(pid_t child);

/* Says to a prepared run, an unreaped child, that it may go on. False: the order could not be sent, and the run will not get it later. */
bool process_tell_go(pid_t child);

/* Calls visit with each name in an open directory. */
void directory_names(int directory, void (*visit)(void *context, const char *name), void *context);

/* Reads a whole small file; returns the number of bytes, or -1. */
ssize_t read_small(int directory, const char *path, char *buffer, size_t room);

#endif
