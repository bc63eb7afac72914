/* What serve knows of one run: shared by watch.c, which follows runs, and orphan.c, which ends those without a shim. */
#ifndef KRON_WATCH_H
#define KRON_WATCH_H

#include "serve.h"

enum state {
  RUN_STARTING, /* own: no word yet. followed: not known to be executed */
  RUN_STARTED,  /* krond was told `started` */
  RUN_DONE,     /* krond was told the last word; an own run may still live and drain output */
};

struct watched {
  uint32_t ref;
  bool own;    /* a child of ours, not yet reaped */
  bool silent; /* own, and no word of it has come yet */
  bool orphan; /* the shim is dead, the command lives */
  enum state state;
  pid_t shim, command;
  uint64_t shim_start, command_start;
  uint64_t grace_ms;
  int pidfd; /* of the shim, or of an orphaned command; -1: none */
  int watch; /* inotify; -1: none */
  int order; /* the latest order to end it; 0: none. A shim may die before it obeys: then serve does */
  bool order_waits; /* not sent yet, because the shim is not known */
  int64_t kill_at; /* of an orphan that is being ended; 0: none */
  char *spec; /* of a prepared run without a word yet; NULL: none */
  size_t spec_size;
  char claim[CLAIM_NAME_MAX + 1];
};

/* Sends a signal to the command of a dead shim, to its group, its descendants and its cgroup. */
void orphan_signal(const struct watched *run, int number);

/* Removes the cgroup of a run that is over; one with processes stays. */
void orphan_remove_cgroup(const struct watched *run);

/* Begins to end it: TERM and CONT now, KILL at kill_at (watch_tick looks after that). */
void orphan_end(struct watched *run, int order);

#endif
