/*
 * The least that a thousand starts can cost: posix_spawn in a loop, nothing recorded. Prints the milliseconds to the
 * last start, and the processor time of all.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double used_ms(int whose) {
  struct rusage used;
  getrusage(whose, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

int main(int argc, char **argv) {
  int times = atoi(argv[1]);
  double began = now_ms();
  for (int i = 0; i < times; i++) {
    pid_t pid;
    if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0) return 1;
  }
  double last = now_ms() - began;
  while (wait(NULL) > 0) {
  }
  printf("%.1f %.1f\n", last, used_ms(RUSAGE_SELF) + used_ms(RUSAGE_CHILDREN));
  return 0;
}
