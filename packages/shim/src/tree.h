/*
 * The tree of a run: every process that descends from a given one. run is a "subreaper": orphans of its command become
 * its own children, so that nobody leaves the tree by forking twice or by starting a session.
 */
#ifndef KRON_TREE_H
#define KRON_TREE_H

#include "shim.h"

/*
 * Sends a signal to every living descendant of root (not to root itself). Returns how many there are. Signal 0
 * only counts. root is named by PID and start time, so that the tree of a stranger with its PID is left alone. Each
 * process is checked by its start time after it was pinned by a pidfd.
 */
size_t tree_signal(pid_t root, uint64_t start, int signal);

/*
 * Kills every descendant. They are stopped first, because a stopped process cannot fork: so a tree that grows
 * faster than it is read still comes to an end. Returns how many there were.
 */
size_t tree_kill(pid_t root, uint64_t start);

/* Kills all processes of a cgroup (its directory's descriptor). False if the kernel cannot. */
bool cgroup_kill(int directory);

/* Sends a signal to every process of a cgroup whose directory ends in `leaf`. */
void cgroup_signal(int directory, const char *leaf, int signal);

#endif
