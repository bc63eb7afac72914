/*
 * Sends lines of output to the system log (/dev/log) in the form of RFC 3164, without ever waiting. The
 * time is left to the log daemon, as that RFC permits: it knows the local time zone, and it does not delay messages.
 */
#ifndef KRON_SYSLOG_H
#define KRON_SYSLOG_H

#include "shim.h"

enum { SYSLOG_LINE = 1024 };

/* One per stream: the line that is not ended yet. */
struct syslog_line {
  char bytes[SYSLOG_LINE];
  size_t used;
};

/* Takes bytes and sends every line that is whole. Returns the bytes that could not be delivered. */
uint64_t syslog_add(struct syslog_line *line, int stream, const char *job, pid_t pid, const char *bytes, size_t count);

/* Sends the rest, a line without an end. */
uint64_t syslog_flush(struct syslog_line *line, int stream, const char *job, pid_t pid);

#endif
