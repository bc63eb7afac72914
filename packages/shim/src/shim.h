/*
 * Names that every part of kron-shim shares: the descriptor numbers that serve hands to run, the limits of
 * everything that comes from outside, and two small helpers. PROTOCOL.md describes the whole.
 */
#ifndef KRON_SHIM_H
#define KRON_SHIM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * Descriptors of `kron-shim run`. 3 is krontab's alone; 5 to 8 have these numbers in serve already, so that a run, which
 * is a fork of serve, finds them in their places; 4 and 9 are put there in the run.
 */
enum {
  FD_SPEC = 3,
  FD_CLAIM = 4,
  FD_STATUS = 5,
  FD_CLAIMS = 6,
  FD_RUNS = 7,
  FD_OUTPUT = 8,
  FD_CGROUP = 9,
  FD_FIRST_FREE = 10,
};

/* Descriptors of `kron-shim serve`, set up by krond. */
enum { FD_FRAMES = 3, FD_LOCK = 4 };

enum {
  FRAME_MAX = 4194304,     /* bytes of one frame, without its length */
  STATUS_MAX = 512,        /* bytes of one message on the status pipe */
  OUTPUT_MAX = 4096,       /* bytes of one message on the output pipe (PIPE_BUF: one write is never torn) */
  CLAIM_NAME_MAX = 200,
  EXECUTION_MAX = 64,
  JOB_MAX = 255,
  CGROUP_PATH_MAX = 600,   /* so that part 2 of a claim fits into 1,024 bytes */
};

/* run could not get its descriptors: serve takes this exit status as "certainly not started". */
enum { EXIT_NO_RUN = 126 };

/* The order to end a run. A realtime signal is queued, so that a second order is not lost in the first. */
#define ORDER_SIGNAL 40
enum why { WHY_EXITED = 0, WHY_REPLACED = 1, WHY_STOPPED = 2, WHY_REQUESTED = 3, WHY_UNRECORDED = 4, WHY_TIMEOUT = 5 };
#define ORDER_NOW 256
/* Sent by the same signal: serve has read the end of the run, so the run need not stay for it. */
#define ORDER_TAKEN 512
/* And: the claim of a prepared run has its name, so the run goes on. */
#define ORDER_GO 1024

/* Returns the text of a reason as the end record spells it. */
const char *why_text(enum why why);

/* Returns the reason that a frame spells, or -1. Only reasons that an order may give are known. */
int why_of(const char *text);

/* Milliseconds of CLOCK_MONOTONIC: for time limits. */
int64_t now_ms(void);

/* Nanoseconds of CLOCK_BOOTTIME: for records and the last permitted start. */
uint64_t boot_ns(void);

/* Closes *fd, if it is open, and marks it closed. */
void close_fd(int *fd);

/* Gives every signal its default disposition: what the caller ignored must not stay ignored in a command. */
void reset_signals(void);

/* The signals that serve and run ignore. A program that is executed would inherit that. */
enum { IGNORED_COUNT = 5 };
extern const int ignored_signals[IGNORED_COUNT];

/* A function with a large frame, which its callers must not carry: a run lives on their stack. */
#define APART __attribute__((noinline))

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
