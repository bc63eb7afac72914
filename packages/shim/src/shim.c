/* The small helpers that every part shares. */
#include "shim.h"

#include <signal.h>
#include <time.h>

static const char *const whys[] = {"exited", "replaced", "stopped", "requested", "unrecorded", "timeout"};

const char *why_text(enum why why) { return whys[why]; }

int why_of(const char *text) {
  for (int why = WHY_REPLACED; why <= WHY_UNRECORDED; why++)
    if (strcmp(text, whys[why]) == 0) return why;
  return -1;
}

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint64_t boot_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const int ignored_signals[IGNORED_COUNT] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ};

void reset_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int number = 1; number <= 64; number++) sigaction(number, &action, NULL); /* KILL and STOP say EINVAL */
}

void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}
