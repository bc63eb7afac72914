/* Processes by PID and start time. See process.h. */
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "text.h"

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#define PIDFD_GROUP 4u /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */

ssize_t read_small(int directory, const char *path, char *buffer, size_t room) {
  int fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return -1;
  size_t used = 0;
  while (used < room) {
    ssize_t count = read(fd, buffer + used, room - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      close(fd);
      return -1;
    }
    if (count == 0) break;
    used += (size_t)count;
  }
  close(fd);
  return (ssize_t)used;
}

struct entry64 {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

void directory_names(int directory, void (*visit)(void *context, const char *name), void *context) {
  _Alignas(8) char entries[8192];
  long size;
  while ((size = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size;) {
      const struct entry64 *entry = (const struct entry64 *)(void *)(entries + at);
      at += entry->length;
      visit(context, entry->name);
    }
  }
}

bool process_parse(const char *stat, size_t size, struct process *process) {
  const char *name_end = memrchr(stat, ')', size);
  if (name_end == NULL) return false;
  const char *end = stat + size;
  const char *at = name_end + 1;
  uint64_t number;
  /* After the name come: state, parent, group, session, ...; the start time is the 20th of these. */
  for (int field = 0; field < 20; field++) {
    if (at >= end || *at != ' ') return false;
    at++;
    size_t length = 0;
    while (at + length < end && at[length] != ' ' && at[length] != '\n') length++;
    if (field == 0) {
      if (length != 1) return false;
      process->state = *at;
    } else if (field == 1) {
      if (!number_in(at, length, INT32_MAX, &number)) return false;
      process->parent = (pid_t)number;
    } else if (field == 17) {
      if (!number_in(at, length, UINT64_MAX, &process->threads)) return false;
    } else if (field == 19) {
      return number_in(at, length, UINT64_MAX, &process->start);
    }
    at += length;
  }
  return false;
}

bool process_read(pid_t pid, struct process *process) {
  char path[40], stat[1024];
  struct text text = TEXT_IN(path);
  text_string(&text, "/proc/");
  text_number(&text, (uint64_t)pid);
  text_string(&text, "/stat");
  text_end(&text);
  ssize_t size = read_small(AT_FDCWD, path, stat, sizeof stat);
  process->pid = pid;
  return size > 0 && process_parse(stat, (size_t)size, process);
}

enum { TICK_NS = 10000000 }; /* the unit of start times, on x64 and arm64: a hundredth of a second */
static bool clock_is_known;

uint64_t process_start(pid_t pid, uint64_t before_ns, uint64_t after_ns) {
  if (clock_is_known && before_ns / TICK_NS == after_ns / TICK_NS) return after_ns / TICK_NS;
  struct process process = {0};
  process_read(pid, &process);
  return process.start;
}

void process_try_clock(void) {
  uint64_t before_ns = boot_ns();
  pid_t pid = _Fork();
  if (pid < 0) return;
  if (pid == 0) _exit(0);
  uint64_t after_ns = boot_ns();
  struct process process = {0};
  clock_is_known = process_read(pid, &process) && process.start >= before_ns / TICK_NS &&
                   process.start <= after_ns / TICK_NS;
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

bool process_is_dead(const struct process *process) {
  return process->state == 'X' || (process->state == 'Z' && process->threads <= 1);
}

bool process_lives(pid_t pid, uint64_t start) {
  struct process process;
  return process_read(pid, &process) && process.start == start && !process_is_dead(&process);
}

static int process_pin(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int process_open(pid_t pid, uint64_t start) {
  int fd = process_pin(pid);
  if (fd < 0) return -1;
  /* Read after the open: the PID belonged to this process when the descriptor was made. */
  if (process_lives(pid, start)) return fd;
  close(fd);
  errno = ESRCH;
  return -1;
}

int process_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int process_signal_group(int pidfd, pid_t pid, int signal) {
  if (syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, PIDFD_GROUP) == 0) return 0;
  if (errno != EINVAL) return -1;
  if (process_signal(pidfd, 0) != 0) return -1; /* an older kernel: check, then use the number */
  return kill(-pid, signal);
}

/* Through a pidfd, or (before Linux 5.3) by the number, which was checked a moment ago. */
static bool order(int pidfd, pid_t pid, int value, int signal) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_int = value;
  if (pidfd < 0) return syscall(SYS_rt_sigqueueinfo, pid, signal, &info) == 0;
  return syscall(SYS_pidfd_send_signal, pidfd, signal, &info, 0) == 0;
}

bool process_tell_taken(pid_t child) {
  return order(-1, child, ORDER_TAKEN, ORDER_SIGNAL) ||
         (errno == EAGAIN && order(-1, child, ORDER_TAKEN, SIGTERM));
}

bool process_tell_go(pid_t child) { return order(-1, child, ORDER_GO, ORDER_SIGNAL); }

bool process_order(pid_t pid, uint64_t start, bool own, int value) {
  int pidfd = own ? process_pin(pid) : process_open(pid, start);
  if (pidfd < 0 && (errno != ENOSYS || !(own || process_lives(pid, start)))) return false;
  bool sent = order(pidfd, pid, value, ORDER_SIGNAL);
  /* No room in the queue of realtime signals: SIGTERM needs none. */
  if (!sent && errno == EAGAIN) sent = order(pidfd, pid, value, SIGTERM);
  if (pidfd >= 0) close(pidfd);
  return sent;
}
