/*
 * Moves the shared clock: whenever cron and krond sleep and no command of theirs runs, it leaves out the time until the
 * first of them wants to wake. conductor PAGE UNTIL SEEN..., the end in epoch seconds. It begins when each of the files has
 * something in it: then both daemons have run their commands for the boot.
 */
#define _GNU_SOURCE
#include "clock.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_US 1000
/* Looks in a row that must find everything asleep. */
#define QUIET_LOOKS 2
/* After the commands for the boot the daemons settle in this time, before their processes are counted. */
#define SETTLE (4 * SECOND)
#define PATIENCE (120 * SECOND)
/* krond hands a start to kron-shim half a second before its minute. kron-shim holds it by the machine's own clock. */
#define MINUTE (60 * SECOND)
#define HOLD (SECOND * 6 / 10)

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * SECOND + now.tv_nsec;
}

/* The state letter of a thread; that of one which is gone counts as awake. */
static char state_of(const char *process, const char *thread) {
  char path[300], text[600];
  snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/stat", process, thread);
  int file = open(path, O_RDONLY);
  if (file == -1) return 'R';
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 'R';
  text[length] = 0;
  char *name_end = strrchr(text, ')');
  return name_end == NULL ? 'R' : name_end[2];
}

/* How many processes there are in this namespace; -1 if a thread of one does anything. */
static int idle_processes(void) {
  int count = 0, is_busy = 0;
  DIR *processes = opendir("/proc");
  for (struct dirent *each; !is_busy && (each = readdir(processes)) != NULL;) {
    if (each->d_name[0] < '0' || each->d_name[0] > '9' || atoi(each->d_name) == getpid()) continue;
    count++;
    char path[300];
    snprintf(path, sizeof path, "/proc/%.20s/task", each->d_name);
    DIR *threads = opendir(path);
    if (threads == NULL) {
      is_busy = 1;
      break;
    }
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;)
      if (thread->d_name[0] != '.' && state_of(each->d_name, thread->d_name) != 'S') is_busy = 1;
    closedir(threads);
  }
  closedir(processes);
  return is_busy ? -1 : count;
}

/* When the first sleeper wants to wake, or 0 if one is awake. */
static int64_t first_wish(struct clock_page *page) {
  int64_t first = INT64_MAX;
  for (int n = 0; n < DAEMONS; n++) {
    int64_t until = page->daemons[n].until;
    if (until < first) first = until;
  }
  return first;
}

/* How many processes the daemons have of their own, or 0 if they do not come to rest. */
static int count_residents(char **seen) {
  int64_t began = read_clock(CLOCK_MONOTONIC), ready = 0;
  for (int64_t now = began; now < began + PATIENCE; now = read_clock(CLOCK_MONOTONIC)) {
    usleep(LOOK_US);
    if (ready == 0) {
      int all = 1;
      struct stat found;
      for (char **each = seen; *each != NULL; each++)
        if (stat(*each, &found) == -1 || found.st_size == 0) all = 0;
      if (all) ready = now;
      continue;
    }
    int processes = now - ready > SETTLE ? idle_processes() : -1;
    if (processes > 0) return processes;
  }
  return 0;
}

int main(int count, char **words) {
  if (count < 3) return 2;
  int file = open(words[1], O_RDWR);
  struct clock_page *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) return 2;
  int64_t until = atoll(words[2]) * SECOND;
  int residents = count_residents(words + 3);
  if (residents == 0) {
    fputs("the daemons do not come to rest\n", stderr);
    return 1;
  }
  int64_t moved = read_clock(CLOCK_MONOTONIC);
  int quiet = 0;
  while (read_clock(CLOCK_REALTIME) + page->shift + page->skipped < until) {
    usleep(LOOK_US);
    int64_t machine = read_clock(CLOCK_MONOTONIC);
    int64_t wish = first_wish(page);
    int64_t now = machine + page->skipped;
    /* To look at all processes takes long; it is not needed while a daemon is awake. */
    int processes = wish > now ? idle_processes() : -1;
    quiet = processes > 0 && processes <= residents ? quiet + 1 : 0;
    if (quiet < QUIET_LOOKS) {
      if (machine - moved < PATIENCE) continue;
      fprintf(stderr, "the daemons have not slept for two minutes: %d processes beside %d\n", processes, residents);
      return 1;
    }
    int64_t wall = read_clock(CLOCK_REALTIME) + page->shift + page->skipped;
    if (wall % MINUTE > MINUTE - HOLD) continue;
    int64_t skip = wish - now;
    if (wall + skip > until) skip = until - wall;
    page->skipped += skip;
    quiet = 0;
    moved = machine;
  }
  return 0;
}
