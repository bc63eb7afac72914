/* A clock for cron that only moves when cron sleeps, so that a night passes in a second and always alike. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static time_t now;

time_t time(time_t *into) {
  if (now == 0) now = atol(getenv("CRON_FROM"));
  if (into != NULL) *into = now;
  return now;
}

unsigned int sleep(unsigned int seconds) {
  while (wait(NULL) > 0) {
  }
  /* Between minutes that it makes up for cron rests this long: with many jobs that would add up to minutes. */
  if (seconds == 10) return 0;
  now = time(NULL) + seconds;
  if (now >= atol(getenv("CRON_UNTIL"))) _exit(0);
  return 0;
}

/* Commands that cron would give to `sh -c` are noted with their time instead. */
int execle(const char *path, const char *name, ...) {
  va_list rest;
  va_start(rest, name);
  va_arg(rest, char *);
  const char *command = va_arg(rest, char *);
  va_end(rest);
  char line[64];
  int length = snprintf(line, sizeof line, "%ld %.20s\n", (long)time(NULL), command);
  int file = open(getenv("CRON_STARTS"), O_WRONLY | O_APPEND);
  _exit(path == NULL || write(file, line, length) != length);
}
