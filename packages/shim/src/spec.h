/*
 * The run spec: everything run needs to know about one command, as NUL-ended text fields. serve parses it to
 * refuse a bad one before it makes a claim; run parses it again and uses it. PROTOCOL.md has the table of keys.
 */
#ifndef KRON_SPEC_H
#define KRON_SPEC_H

#include "shim.h"

enum sink { SINK_INHERIT, SINK_DISCARD, SINK_SYSLOG, SINK_FILE };

/* A limit that was not given stays as it is. */
struct limit {
  bool given;
  uint64_t value;
};
enum { LIMIT_NOFILE, LIMIT_NPROC, LIMIT_FSIZE, LIMIT_CORE, LIMIT_COUNT };

/* All strings point into the parsed bytes, which must outlive the spec. */
struct spec {
  const char *execution;
  const char *job;
  const char *program;
  const char *cwd;
  const char *groups; /* comma-separated numbers, may be empty */
  const char *stdin_text;
  const char *path; /* value of the last env=PATH=..., or the default */
  bool has_uid, has_gid, has_umask, has_nice, has_timeout, has_first, has_last, has_oom, by_caller;
  uid_t uid;
  gid_t gid;
  mode_t umask;
  int nice;
  int oom;
  struct limit limits[LIMIT_COUNT];
  enum sink sink[2];   /* of stdout and stderr */
  const char *file[2]; /* path, if the sink is a file */
  uint64_t keep;
  uint64_t timeout_ms;
  uint64_t grace_ms;
  uint64_t first_ns; /* CLOCK_BOOTTIME; serve starts it no sooner */
  uint64_t last_ns;
};

/*
 * Parses `size` bytes. Returns NULL, or the key (or a short word) that is wrong. If arguments is not NULL, the
 * pointers to the arguments go there and those to the environment into environment, each with a NULL at the end;
 * each array must have room for `spec_fields` + 1 pointers.
 */
const char *spec_parse(const char *bytes, size_t size, struct spec *spec, char **arguments, char **environment);

/* The number of fields, an upper limit for the number of arguments and of variables. */
size_t spec_fields(const char *bytes, size_t size);

/* Reads the next number of a comma-separated list and moves on; false at its end or at a mistake. */
bool group_next(const char **list, gid_t *group);

#endif
