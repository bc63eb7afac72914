/*
 * `kron-shim run`: the parent of one command. run.c starts the command, life.c stays with it, report.c writes
 * how it ended.
 */
#ifndef KRON_RUN_H
#define KRON_RUN_H

#include "child.h"
#include "claim.h"
#include "output.h"
#include "status.h"

enum phase {
  PHASE_RUNNING,  /* the command lives */
  PHASE_ENDING,   /* TERM was sent; KILL follows at kill_at */
  PHASE_KILLING,  /* KILL was sent; everything must be gone by kill_at */
  PHASE_ENDED,    /* the command and, if run ended it, its tree are gone */
};

enum reporting {
  REPORT_NOTHING, /* not ended yet */
  REPORT_SEND,    /* the message does not fit into the status pipe yet */
  REPORT_SENT,    /* serve has not said yet that it has read the message */
  REPORT_FILE,    /* nobody reads: the .end file must be written */
  REPORT_DONE,
};

struct run {
  struct spec spec;
  uint32_t ref;
  bool by_serve; /* else by krontab, without a claim */
  bool is_prepared; /* it waits for its time: its claim has no name yet */
  char claim_name[CLAIM_NAME_MAX + 1], job[JOB_MAX + 1];
  char execution[EXECUTION_MAX + 1];
  char cgroup_path[CGROUP_PATH_MAX + 1]; /* empty: none */
  pid_t self, command;
  uint64_t self_start, command_start;
  int signals; /* signalfd */
  int words;   /* socket to the child until it has executed the command */

  enum phase phase;
  enum why why;
  bool command_ended, nobody_left;
  int64_t timeout_at, kill_at, sweep_at; /* ms of CLOCK_MONOTONIC; 0: none */

  struct output output;
  struct end end;
  enum reporting reporting;
  int64_t report_at; /* when to go on at the latest */
};

/* What a run gets from the serve it is a fork of. */
struct handover {
  uint32_t ref;
  uint64_t before_ns; /* CLOCK_BOOTTIME before the fork */
  int claim, cgroup; /* cgroup: -1 for none */
  bool is_prepared;  /* forked before its time; see start_prepare */
  pid_t serve;
  char *spec;        /* a block of memory.h */
  size_t spec_size;
  char claim_name[CLAIM_NAME_MAX + 1];
};

/* The life of a run in a fork of serve. Returns the exit status. */
int run_for_serve(const struct handover *handover);

/* `kron-shim run JOB`, as krontab executes it. Returns the exit status. */
int run_for_caller(const char *job);

/* Stays with the command to its end and beyond, while output comes. */
APART void run_live(struct run *run);

/* Begins to end the tree (life.c). */
void run_end(struct run *run, enum why why, bool now);

/* Writes part 2 of the claim: who we are and, once it is executed, who the command is. */
bool report_part2(struct run *run, bool with_command);

/* Writes the end record into the claim and begins to tell serve. */
void report_begin(struct run *run);

/* Goes on telling: the status pipe has changed, or report_at has come. */
void report_go_on(struct run *run);

/* serve has read the end. */
void report_taken(struct run *run);

#endif
