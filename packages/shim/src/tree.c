/* Finds and signals descendants by reading /proc. See tree.h. */
#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>

#include "memory.h"
#include "process.h"
#include "text.h"

struct member {
  struct process process;
  bool inside;
};

/* All processes of the system, in the order of their PIDs. */
struct census {
  struct member *members;
  size_t count, room;
};

static bool census_room(struct census *census) {
  if (census->count < census->room) return true;
  size_t room = census->room == 0 ? 1024 : census->room * 2;
  const size_t one = sizeof(struct member);
  void *more = memory_grow(census->members, census->room * one, room * one);
  if (more == NULL) return false;
  census->members = more;
  census->room = room;
  return true;
}

static void census_add(void *context, const char *name) {
  struct census *census = context;
  uint64_t pid;
  if (!number_of(name, INT32_MAX, &pid) || !census_room(census)) return;
  struct member *member = &census->members[census->count];
  member->inside = false;
  if (process_read((pid_t)pid, &member->process)) census->count++;
}

static void census_take(struct census *census) {
  census->count = 0;
  int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  directory_names(proc, census_add, census);
  close(proc);
}

static struct member *census_find(struct census *census, pid_t pid) {
  size_t low = 0, high = census->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (census->members[middle].process.pid < pid) low = middle + 1;
    else high = middle;
  }
  return low < census->count && census->members[low].process.pid == pid ? &census->members[low] : NULL;
}

/*
 * Marks the descendants of root, if the census has found exactly that process. PIDs wrap around, so a child may come
 * before its parent: until nothing changes.
 */
static void census_mark(struct census *census, pid_t root, uint64_t start) {
  const struct member *found = census_find(census, root);
  if (found == NULL || found->process.start != start) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < census->count; i++) {
      struct member *member = &census->members[i];
      if (member->inside || member->process.pid == root) continue;
      struct member *parent = census_find(census, member->process.parent);
      if (member->process.parent == root || (parent != NULL && parent->inside)) changed = member->inside = true;
    }
  }
}

static void signal_one(const struct process *process, int signal) {
  int pidfd = process_open(process->pid, process->start);
  if (pidfd >= 0) {
    process_signal(pidfd, signal);
    close(pidfd);
  } else if (errno == ENOSYS && process_lives(process->pid, process->start)) {
    kill(process->pid, signal);
  }
}

/* Takes a census and signals those that `skip` does not spare. Returns the number of the living; *hit of the signalled. */
static size_t sweep(struct census *census, pid_t root, uint64_t start, int signal, bool spare_stopped, size_t *hit) {
  census_take(census);
  census_mark(census, root, start);
  size_t living = 0;
  *hit = 0;
  for (size_t i = 0; i < census->count; i++) {
    const struct member *member = &census->members[i];
    if (!member->inside || process_is_dead(&member->process)) continue;
    living++;
    if (signal == 0 || (spare_stopped && member->process.state == 'T')) continue;
    signal_one(&member->process, signal);
    (*hit)++;
  }
  return living;
}

static void census_free(struct census *census) {
  memory_free(census->members, census->room * sizeof(struct member));
}

size_t tree_signal(pid_t root, uint64_t start, int signal) {
  struct census census = {NULL, 0, 0};
  size_t hit;
  size_t living = sweep(&census, root, start, signal, false, &hit);
  census_free(&census);
  return living;
}

size_t tree_kill(pid_t root, uint64_t start) {
  struct census census = {NULL, 0, 0};
  size_t hit;
  for (int pass = 0; pass < 20; pass++)
    if (sweep(&census, root, start, SIGSTOP, true, &hit) == 0 || hit == 0) break;
  size_t living = sweep(&census, root, start, SIGKILL, false, &hit);
  census_free(&census);
  return living;
}

bool cgroup_kill(int directory) {
  int fd = openat(directory, "cgroup.kill", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool done = write(fd, "1", 1) == 1;
  close(fd);
  return done;
}

/* True if /proc/PID/cgroup names a cgroup that ends in leaf: the PID still belongs to the run. */
static bool is_in_cgroup(pid_t pid, const char *leaf) {
  char path[40], content[4096];
  struct text text = TEXT_IN(path);
  text_string(&text, "/proc/");
  text_number(&text, (uint64_t)pid);
  text_string(&text, "/cgroup");
  text_end(&text);
  ssize_t size = read_small(AT_FDCWD, path, content, sizeof content - 1);
  if (size <= 0) return false;
  content[size] = 0;
  size_t length = strlen(leaf);
  for (char *line = content; line != NULL && *line != 0;) {
    char *end = strchr(line, '\n');
    if (end != NULL) *end = 0;
    size_t line_length = strlen(line);
    if (strncmp(line, "0::", 3) == 0 && line_length > length && line[line_length - length - 1] == '/' &&
        strcmp(line + line_length - length, leaf) == 0)
      return true;
    line = end == NULL ? NULL : end + 1;
  }
  return false;
}

void cgroup_signal(int directory, const char *leaf, int signal) {
  char content[65536];
  ssize_t size = read_small(directory, "cgroup.procs", content, sizeof content);
  for (ssize_t at = 0; at < size;) {
    const char *end = memchr(content + at, '\n', (size_t)(size - at));
    if (end == NULL) break;
    uint64_t pid;
    size_t length = (size_t)(end - (content + at));
    struct process process;
    if (number_in(content + at, length, INT32_MAX, &pid) && pid > 0 && process_read((pid_t)pid, &process) &&
        is_in_cgroup((pid_t)pid, leaf))
      signal_one(&process, signal);
    at += (ssize_t)length + 1;
  }
}
