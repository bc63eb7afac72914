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

static int64_t due_at = -BURST_MS; /* when the last start was due */

/* Starts that hang must not make a burst without end: it ends BURST_MS after the last start was due. */
void burst_look(bool starts_wait, size_t under_way) {
  if (starts_wait) due_at = now_ms();
  int on = starts_wait || (under_way > BURST_STARTS && now_ms() - due_at < BURST_MS);
  if (word == NULL || __atomic_exchange_n(word, on, __ATOMIC_SEQ_CST) == on) return;
  if (!on) syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

bool burst_is_on(void) { return word != NULL && __atomic_load_n(word, __ATOMIC_SEQ_CST) == 1; }

int64_t burst_next(void) { return burst_is_on() ? due_at + BURST_MS : 0; }

/* The kernel looks at the word again before it sleeps, so no wake-up is lost. If serve dies, the time limit ends the wait. */
void burst_wait(void) {
  static const struct timespec limit = {BURST_MS / 1000, BURST_MS % 1000 * 1000000L};
  if (burst_is_on())
    syscall(SYS_futex, word, FUTEX_WAIT, 1, &limit, NULL, 0);
}
