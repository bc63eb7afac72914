/*
 * Ends the command of a shim that was killed. The orphans of such a command do not come to serve, so serve finds the
 * rest of the tree by the command's descendants, its process group and its cgroup. See watch.h.
 */
#include <fcntl.h>
#include <signal.h>

#include "process.h"
#include "tree.h"
#include "watch.h"

/* The cgroup of a run, from its claim, or -1. *leaf: the last part of its path. */
static int open_cgroup(const struct watched *run, struct claim *claim, const char **leaf) {
  bool held;
  if (!claim_read(serve.claims, run->claim, claim, &held) || claim->cgroup[0] == 0) return -1;
  *leaf = strrchr(claim->cgroup, '/') + 1; /* an absolute path */
  return open(claim->cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

void orphan_signal(const struct watched *run, int number) {
  int pidfd = run->pidfd >= 0 ? run->pidfd : process_open(run->command, run->command_start);
  struct claim claim;
  const char *leaf = "";
  int cgroup = open_cgroup(run, &claim, &leaf);
  if (number == SIGKILL) {
    if (pidfd >= 0) process_signal_group(pidfd, run->command, SIGSTOP);
    tree_kill(run->command, run->command_start);
    if (cgroup >= 0 && !cgroup_kill(cgroup)) cgroup_signal(cgroup, leaf, SIGKILL);
  } else {
    tree_signal(run->command, run->command_start, number);
    if (cgroup >= 0) cgroup_signal(cgroup, leaf, number);
  }
  if (pidfd >= 0 && process_signal_group(pidfd, run->command, number) != 0) process_signal(pidfd, number);
  if (pidfd < 0 && process_lives(run->command, run->command_start)) kill(-run->command, number); /* before Linux 5.3 */
  if (cgroup >= 0) close(cgroup);
  if (pidfd >= 0 && pidfd != run->pidfd) close(pidfd);
}

void orphan_remove_cgroup(const struct watched *run) {
  struct claim claim;
  const char *leaf;
  int cgroup = open_cgroup(run, &claim, &leaf);
  if (cgroup < 0) return;
  rmdir(claim.cgroup);
  close(cgroup);
}

void orphan_end(struct watched *run, int order) {
  int64_t now = now_ms();
  if ((order & ORDER_NOW) != 0) {
    run->kill_at = now;
  } else if (run->kill_at == 0) {
    orphan_signal(run, SIGTERM);
    orphan_signal(run, SIGCONT);
    uint64_t grace = run->grace_ms > 1000000000000u ? 1000000000000u : run->grace_ms;
    run->kill_at = now + (int64_t)grace;
  }
}
