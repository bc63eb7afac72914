/*
 * The child between fork and exec: it takes on limits, user, directory and output, then becomes the command. Each step
 * has a name; a step that fails is told to run, with errno, and then the command is certainly not executed.
 */
#ifndef KRON_CHILD_H
#define KRON_CHILD_H

#include "spec.h"

enum stage {
  STAGE_SPEC, STAGE_CLAIM, STAGE_SETUP, STAGE_FORK, STAGE_CGROUP, STAGE_OOM, STAGE_LIMITS, STAGE_NICE, STAGE_KEYRING,
  STAGE_GROUPS, STAGE_GID, STAGE_UID, STAGE_CWD, STAGE_STDOUT, STAGE_STDERR, STAGE_DEADLINE, STAGE_EXEC, STAGE_KILLED,
};

const char *stage_text(enum stage stage);

/* The path that a failed stage is about, or "". */
const char *stage_detail(enum stage stage, const struct spec *spec);

/* A word of the child to run, one packet of a socket that closes on exec. */
struct word {
  enum { WORD_FILE, WORD_READY, WORD_FAILED } kind;
  enum stage stage; /* FAILED: where. FILE: STAGE_STDOUT or STAGE_STDERR, with the descriptor attached */
  int error;
  uint64_t boot_ns; /* READY: the time of the exec */
};

struct child {
  const struct spec *spec;
  char **arguments;
  char **environment;
  int words, words_of_run; /* both ends of the socket */
  int stdio[3];  /* what becomes 0, 1 and 2 */
  int cgroup;    /* directory to enter, or -1 */
  bool fresh_keyring; /* run has a session keyring of its own */
  bool is_prepared; /* it waits for a byte from run before it does anything */
  pid_t parent;
};

/* Never returns. */
_Noreturn void child_become(const struct child *child);

/* Receives a word; *file gets an attached descriptor or -1. 1: a word, 0: the socket closed, -1: error. */
int word_receive(int socket, struct word *word, int *file);

#endif
