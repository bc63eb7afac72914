/*
 * killer WHOSE STEP VICTIMS PROGRAM [ARGUMENT...]: runs `kron-shim serve` and kills at one step of its life.
 *
 * WHOSE: serve (from its first wait for events on), run (from its fork on), or child (from its fork to exec). Every
 * entry into a system call, and every return from one, is a step. VICTIMS: any of s (serve), r (run), c (the child or
 * command). The killer ends when serve has ended: with 0, or with 100 if it has killed. Those who are left go on
 * without it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 100, OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEFORK | PTRACE_O_TRACEEXEC };

static pid_t serve, run, child;
static int is_command; /* the child has executed its program */

static void kill_victims(const char *victims) {
  for (; *victims != 0; victims++) {
    pid_t victim = *victims == 's' ? serve : *victims == 'r' ? run : child;
    if (victim > 0) kill(victim, SIGKILL);
  }
}

static int waits_for_events(pid_t pid) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) return 0;
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return 0;
#ifdef SYS_epoll_wait
  if (info.entry.nr == SYS_epoll_wait) return 1;
#endif
  return info.entry.nr == SYS_epoll_pwait;
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  const char *whose = argv[1];
  long left = atol(argv[2]);
  int go[2];
  if (pipe2(go, O_CLOEXEC) != 0) return 2;
  serve = fork();
  if (serve == 0) {
    char byte;
    if (read(go[0], &byte, 1) != 1) _exit(126);
    execv(argv[4], argv + 4);
    _exit(126);
  }
  /* Seized, not attached: those who are born later do not wait for a SIGSTOP if the killer ends. */
  if (ptrace(PTRACE_SEIZE, serve, 0, OPTIONS) != 0 || ptrace(PTRACE_INTERRUPT, serve, 0, 0) != 0) return 2;
  if (write(go[1], "", 1) != 1) return 2;
  for (int fd = 3; fd < 16; fd++) close(fd);
  int status, listening = 0, killed = 0;
  for (;;) {
    pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid == serve) break;
      continue;
    }
    /* They are born in this order, and each is seen for the first time when it is born. Before it listens, serve tries
     * the clock with a child that is no run. */
    if (pid != serve && run == 0 && listening) run = pid;
    if (pid != serve && pid != run && run != 0 && child == 0) child = pid;
    int signal = WSTOPSIG(status), event = status >> 16, deliver = 0;
    if (event == PTRACE_EVENT_EXEC) {
      if (pid == child) is_command = 1;
    } else if (signal == (SIGTRAP | 0x80)) {
      if (pid == serve && waits_for_events(pid)) listening = 1;
      int counts = strcmp(whose, "serve") == 0 ? pid == serve && listening
                   : strcmp(whose, "run") == 0 ? pid == run
                                               : pid == child && !is_command;
      if (counts && --left == 0 && !killed) {
        killed = 1;
        kill_victims(argv[3]);
      }
    } else if (event == 0) {
      deliver = signal;
    }
    /* The command itself is of no interest: it runs freely. */
    int request = pid == child && is_command ? PTRACE_DETACH : PTRACE_SYSCALL;
    ptrace(request, pid, 0, deliver);
  }
  return killed ? KILLED : 0;
}
