/* The clock that cron, krond and the probe share: one page that all of them map. */
#ifndef KRON_STAGE_CLOCK_H
#define KRON_STAGE_CLOCK_H
#include <stdatomic.h>
#include <stdint.h>

#define SECOND 1000000000LL
/* Cron and krond. */
#define DAEMONS 2

struct sleeper {
  /* When it wants to wake, on the shared monotonic clock; 0 while it is awake. */
  _Atomic int64_t until;
};

struct clock_page {
  /* What the shared wall clock showed beyond the machine's at the beginning. */
  _Atomic int64_t shift;
  /* All the idle time that was left out since. */
  _Atomic int64_t skipped;
  struct sleeper daemons[DAEMONS];
};
#endif
