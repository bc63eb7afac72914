/*
 * Claims: the files that make a period run at most once. serve creates a claim (exclusively) before it starts a
 * run; run adds who it is, who the command is, and how it ended. The claim's flock says whether run is alive.
 */
#ifndef KRON_CLAIM_H
#define KRON_CLAIM_H

#include "text.h"

enum { CLAIM_SIZE = 4096, PART_1 = 0, PART_2 = 1024, PART_3 = 2048, PART_SIZE = 1024, PART_3_SIZE = 2048 };

enum part { PART_EMPTY, PART_GOOD, PART_DAMAGED };

/* How a command ended. The same facts go into the claim, into the frame `ended` and into the .end file. */
struct end {
  bool by_signal;
  int code; /* exit status or signal number */
  uint64_t started_ns, ended_ns;
  uint64_t user_us, system_us;
  uint64_t memory_kib;
  uint64_t out, err;
  uint64_t dropped, undelivered;
  enum why why;
  uint64_t left;
};

/* The parts of a claim that a reader needs. */
struct claim {
  enum part part1, part2, part3;
  bool has_command;
  pid_t shim, command;
  uint64_t shim_start, command_start;
  uint64_t started_ns;
  uint64_t grace_ms;
  char cgroup[CGROUP_PATH_MAX + 1]; /* empty: none */
  char end[PART_3_SIZE];            /* lines of part 3 as NUL-ended fields */
  size_t end_size;
};

bool claim_name_is_good(const char *name);

/* The facts of part 1, and whether the disk must have the claim before its run may begin. */
struct claim_facts {
  const char *execution, *boot;
  uint64_t keep;
  bool sync;
};

/* Makes, reserves, fills and locks a claim under a hidden name. Returns its descriptor; or -1 with errno, and no file is left. */
int claim_make(int directory, const char *hidden, const struct claim_facts *facts);

/*
 * Gives a claim its own name in place of the hidden one. False with errno: it has no name, and the hidden one is gone, too.
 * EEXIST: another claim has the name.
 */
bool claim_name(int directory, const char *hidden, const char *name, bool sync);

/* Both at once. Returns the descriptor; or -1 with errno, and then no claim of ours is left. EEXIST: it exists already. */
int claim_create(int directory, const char *name, const struct claim_facts *facts);

/* True if this name is that of the open claim, and not of another file. */
bool claim_is_named(int claim, int directory, const char *name);

/* Adds the line `crc XXXXXXXX` to a part or record. */
void claim_seal(struct text *text);

/* Writes a sealed text at the offset of its part, filled up with NUL bytes. */
bool claim_write(int fd, size_t offset, const struct text *text);

/* Lines of an end record; with `end` as the byte after each (LF, or NUL for fields). */
void end_lines(struct text *text, const struct end *end, char after);

/* Reads the bytes of a claim. Pure. */
void claim_parse(const char *bytes, size_t size, struct claim *claim);

/* Opens and reads a claim. held: somebody has it locked. False with errno if it cannot be read (ENOENT: gone). */
bool claim_read(int directory, const char *name, struct claim *claim, bool *held);

#endif
