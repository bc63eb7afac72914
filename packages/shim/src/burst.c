/* See burst.h. */
#include "burst.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

static int *word; /* 1: a burst is under way; NULL in a run of krontab, or without memory: then nobody waits */

void burst_open(void) {
  void *page = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  word = page == MAP_FAILED ? NULL : page;
}

void burst_set(bool under_way) {
  if (word == NULL || __atomic_exchange_n(word, under_way ? 1 : 0, __ATOMIC_SEQ_CST) == (under_way ? 1 : 0)) return;
  if (!under_way) syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The kernel looks at the word again before it sleeps, so no wake-up is lost. If serve dies, the time limit ends the wait. */
void burst_wait(void) {
  static const struct timespec limit = {BURST_MS / 1000, BURST_MS % 1000 * 1000000L};
  if (word != NULL && __atomic_load_n(word, __ATOMIC_SEQ_CST) == 1)
    syscall(SYS_futex, word, FUTEX_WAIT, 1, &limit, NULL, 0);
}
