/*
 * Preloaded into cron and krond: their clocks run as the machine's does, but leave out the time in which both sleep.
 * KRON_CLOCK names the shared page, KRON_DAEMON says which of the two this is.
 */
#define _GNU_SOURCE
#include "clock.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A sleeper looks this often whether time was left out. */
#define LOOK_MS 1

static struct clock_page *page;
static struct sleeper *own;
static pid_t owner;

__attribute__((constructor)) static void join(void) {
  const char *path = getenv("KRON_CLOCK");
  const char *which = getenv("KRON_DAEMON");
  if (path == NULL || which == NULL) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file == -1) return;
  void *mapped = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return;
  page = mapped;
  own = &page->daemons[atoi(which) == 0 ? 0 : 1];
  owner = getpid();
}

static int64_t machine(clockid_t clock) {
  struct timespec now;
  syscall(SYS_clock_gettime, clock, &now);
  return now.tv_sec * SECOND + now.tv_nsec;
}

static int64_t shared(clockid_t clock) {
  int64_t now = machine(clock);
  if (page == NULL) return now;
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
    return now + page->shift + page->skipped;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_BOOTTIME:
    return now + page->skipped;
  default:
    return now;
  }
}

int clock_gettime(clockid_t clock, struct timespec *into) {
  int64_t now = shared(clock);
  into->tv_sec = now / SECOND;
  into->tv_nsec = now % SECOND;
  return 0;
}

int gettimeofday(struct timeval *restrict into, void *restrict zone) {
  (void)zone;
  int64_t now = shared(CLOCK_REALTIME);
  into->tv_sec = now / SECOND;
  into->tv_usec = now % SECOND / 1000;
  return 0;
}

time_t time(time_t *into) {
  time_t now = shared(CLOCK_REALTIME) / SECOND;
  if (into != NULL) *into = now;
  return now;
}

static int is_daemon(void) {
  return page != NULL && getpid() == owner && (pid_t)syscall(SYS_gettid) == owner;
}

/* Cron's only way to wait. */
unsigned int sleep(unsigned int seconds) {
  int64_t until = shared(CLOCK_MONOTONIC) + seconds * SECOND;
  if (is_daemon()) own->until = until;
  while (shared(CLOCK_MONOTONIC) < until) usleep(LOOK_MS * 1000);
  if (is_daemon()) own->until = 0;
  return 0;
}

/* How the main thread of krond waits. */
int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  static int (*real)(int, struct epoll_event *, int, int, const sigset_t *);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "epoll_pwait");
  if (!is_daemon() || timeout == 0) return real(epoll, events, most, timeout, mask);
  int64_t until = timeout < 0 ? INT64_MAX : shared(CLOCK_MONOTONIC) + timeout * (SECOND / 1000);
  own->until = until;
  int ready;
  do ready = real(epoll, events, most, LOOK_MS, mask);
  while (ready == 0 && shared(CLOCK_MONOTONIC) < until);
  int error = errno;
  own->until = 0;
  errno = error;
  return ready;
}
