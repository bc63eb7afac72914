/* The least that a thousand starts can cost: posix_spawn in a loop, nothing recorded. */
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
  int times = atoi(argv[1]);
  for (int i = 0; i < times; i++) {
    pid_t pid;
    if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0) return 1;
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
