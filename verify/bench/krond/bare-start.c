/* The least that a durable start can cost: an exact timer, one durable write, one posix_spawn, at random half-seconds. */
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RECORD 370
#define STARTS_PER_MINUTE 20

extern char **environ;

int main(int argc, char **argv) {
  time_t until = atoll(argv[1]);
  int journal = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_DSYNC, 0600);
  char record[RECORD];
  memset(record, 'x', RECORD);
  srand(getpid());
  for (time_t second = time(NULL) + 1; second < until; second++) {
    if (rand() % 60 >= STARTS_PER_MINUTE) continue;
    struct timespec at = {second, 500000000};
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL);
    pid_t pid;
    if (write(journal, record, RECORD) != RECORD) return 1;
    if (posix_spawn(&pid, argv[3], NULL, NULL, argv + 3, environ) != 0) return 1;
    waitpid(pid, NULL, 0);
  }
  return 0;
}
