/*
 * The command's stdout and stderr: run reads them from pipes, keeps a copy and passes them on (to a file, to the system
 * log, or to the daemon's log through serve). Nothing here ever waits, so nothing blocks the command for long.
 */
#ifndef KRON_OUTPUT_H
#define KRON_OUTPUT_H

#include "kept.h"
#include "spec.h"
#include "syslog.h"

struct stream {
  int pipe; /* read end, or -1 */
  int file; /* output file, or -1 */
  enum sink sink;
  uint64_t printed;
  uint64_t unsent; /* not yet reported as dropped to the daemon's log */
  struct syslog_line line;
};

struct output {
  struct stream streams[2];
  struct kept kept;
  const char *job;
  pid_t command;
  uint32_t ref;
  int log; /* output pipe to serve, or -1 */
  uint64_t undelivered;
  int64_t wait_ms;     /* the wait after the latest small read; 0: none */
  int64_t paused_until; /* in ms of CLOCK_MONOTONIC; 0: reading */
};

/* Reads what is there, keeps it and passes it on. Returns false once both pipes have ended. */
bool output_read(struct output *output, int64_t now);

/* Reads only what is in the pipes at this moment: a flood by somebody else cannot prolong it. */
void output_drain(struct output *output);

/* Passes on what is held back: the last line without an end, the count of dropped bytes. */
void output_flush(struct output *output);

bool output_is_open(const struct output *output);

#endif
