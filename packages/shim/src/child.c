/* From fork to exec. See child.h, and PROTOCOL.md for the order of the steps. */
#include "child.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "memory.h"
#include "text.h"

static const char *const stages[] = {
  "spec", "claim", "setup", "fork", "cgroup", "oom", "limits", "nice", "keyring",
  "groups", "gid", "uid", "cwd", "stdout", "stderr", "deadline", "exec", "killed",
};

const char *stage_text(enum stage stage) { return stages[stage]; }

const char *stage_detail(enum stage stage, const struct spec *spec) {
  const char *detail = NULL;
  if (stage == STAGE_CWD) detail = spec->cwd;
  if (stage == STAGE_STDOUT) detail = spec->file[0];
  if (stage == STAGE_STDERR) detail = spec->file[1];
  if (stage == STAGE_EXEC) detail = spec->program;
  return detail == NULL ? "" : detail;
}

static void say(int words, const struct word *word, int file) {
  struct iovec part = {(void *)(uintptr_t)word, sizeof *word};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (file >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent;
  do sent = sendmsg(words, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) _exit(127); /* run is gone: nobody would learn of this command */
}

int word_receive(int socket, struct word *word, int *file) {
  struct iovec part = {word, sizeof *word};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
  message.msg_controllen = sizeof control.room;
  *file = -1;
  ssize_t size;
  /* ECONNRESET comes once, before the words, if the child has closed its end without having read the order to go on. */
  do size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (size < 0 && (errno == EINTR || errno == ECONNRESET));
  if (size == 0) return 0;
  if (size != (ssize_t)sizeof *word) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header != NULL && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
    memcpy(file, CMSG_DATA(header), sizeof *file);
  return 1;
}

static _Noreturn void fail(const struct child *child, enum stage stage, int error) {
  struct word word;
  memset(&word, 0, sizeof word);
  word.kind = WORD_FAILED;
  word.stage = stage;
  word.error = error;
  say(child->words, &word, -1);
  _exit(127);
}

static bool write_text(int directory, const char *path, const char *text) {
  int fd = openat(directory, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t size = strlen(text);
  bool done = write(fd, text, size) == (ssize_t)size;
  int error = errno;
  close(fd);
  errno = error;
  return done;
}

static void set_oom(const struct child *child) {
  if (!child->spec->has_oom) return;
  char number[16];
  struct text text = TEXT_IN(number);
  if (child->spec->oom < 0) text_char(&text, '-');
  text_number(&text, (uint64_t)(child->spec->oom < 0 ? -child->spec->oom : child->spec->oom));
  text_end(&text);
  /* The files of a process that cannot be dumped belong to root. */
  bool hidden = geteuid() != 0;
  if (hidden) prctl(PR_SET_DUMPABLE, 1);
  if (!write_text(AT_FDCWD, "/proc/self/oom_score_adj", number)) fail(child, STAGE_OOM, errno);
  if (hidden) prctl(PR_SET_DUMPABLE, 0);
}

static void set_limits(const struct child *child) {
  static const int resources[LIMIT_COUNT] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_CORE};
  for (int i = 0; i < LIMIT_COUNT; i++) {
    const struct limit *limit = &child->spec->limits[i];
    if (!limit->given) continue;
    const uint64_t both[2] = {limit->value, limit->value}; /* soft and hard */
    if (syscall(SYS_prlimit64, 0, resources[i], both, NULL) != 0) fail(child, STAGE_LIMITS, errno);
  }
}

enum { GROUPS_MAX = 65536 };

/* Sets the supplementary groups; a process that has exactly these already needs no privilege. */
static void set_groups(const struct child *child) {
  gid_t *groups_wanted = memory_for_run(GROUPS_MAX * sizeof(gid_t)); /* exec frees both */
  gid_t *groups_found = memory_for_run(GROUPS_MAX * sizeof(gid_t));
  if (groups_wanted == NULL || groups_found == NULL) fail(child, STAGE_GROUPS, errno);
  const char *list = child->spec->groups;
  size_t count = 0;
  while (count < GROUPS_MAX && group_next(&list, &groups_wanted[count])) count++;
  int error = syscall(SYS_setgroups, count, groups_wanted) == 0 ? 0 : errno;
  int found = getgroups(GROUPS_MAX, groups_found);
  if (found < 0) fail(child, STAGE_GROUPS, errno);
  /* Both ways: the kernel sorts them, and a list may name a group twice. */
  for (size_t i = 0; i < count; i++) {
    bool there = false;
    for (int j = 0; j < found; j++) there = there || groups_found[j] == groups_wanted[i];
    if (!there) fail(child, STAGE_GROUPS, error != 0 ? error : EPERM);
  }
  for (int j = 0; j < found; j++) {
    bool wanted = false;
    for (size_t i = 0; i < count; i++) wanted = wanted || groups_found[j] == groups_wanted[i];
    if (!wanted) fail(child, STAGE_GROUPS, error != 0 ? error : EPERM);
  }
}

/* No capability may be left, not even an inheritable one, which a change of user does not clear. */
static void drop_capabilities(const struct child *child) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  memset(sets, 0, sizeof sets);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(SYS_capset, &header, sets) != 0) fail(child, STAGE_UID, errno);
  memset(sets, 0xff, sizeof sets);
  if (syscall(SYS_capget, &header, sets) != 0) fail(child, STAGE_UID, errno);
  for (int i = 0; i < 2; i++)
    if ((sets[i].permitted | sets[i].effective | sets[i].inheritable) != 0) fail(child, STAGE_UID, EPERM);
}

/*
 * The system calls themselves, not the library's functions, which only add a change of all threads: there is one.
 */
static void set_user(const struct child *child) {
  const struct spec *spec = child->spec;
  if (!spec->has_uid) return;
  /* Without a keyring of its own the job could read the keys of the daemon's session. */
  if (!child->fresh_keyring && spec->uid != geteuid()) fail(child, STAGE_KEYRING, EDQUOT);
  set_groups(child);

  gid_t gids[3];
  if (syscall(SYS_setresgid, spec->gid, spec->gid, spec->gid) != 0) fail(child, STAGE_GID, errno);
  if (getresgid(&gids[0], &gids[1], &gids[2]) != 0) fail(child, STAGE_GID, errno);
  uid_t uids[3];
  if (syscall(SYS_setresuid, spec->uid, spec->uid, spec->uid) != 0) fail(child, STAGE_UID, errno);
  if (getresuid(&uids[0], &uids[1], &uids[2]) != 0) fail(child, STAGE_UID, errno);
  for (int i = 0; i < 3; i++) {
    if (gids[i] != spec->gid) fail(child, STAGE_GID, EPERM);
    if (uids[i] != spec->uid) fail(child, STAGE_UID, EPERM);
  }
  if (spec->uid == 0) return;
  drop_capabilities(child);
  if (syscall(SYS_setuid, 0) == 0 || syscall(SYS_setresuid, -1, 0, -1) == 0) fail(child, STAGE_UID, EPERM);
}

static bool is_good_file(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) return false;
  if (S_ISREG(status.st_mode)) return true;
  errno = EINVAL;
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3); /* /dev/null */
}

/* Opens the output files as the job's user and gives them to run, which writes them. */
static void open_files(const struct child *child) {
  for (int i = 0; i < 2; i++) {
    if (child->spec->sink[i] != SINK_FILE) continue;
    enum stage stage = i == 0 ? STAGE_STDOUT : STAGE_STDERR;
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    int fd = open(child->spec->file[i], flags, 0640);
    if (fd < 0 || !is_good_file(fd)) fail(child, stage, errno);
    struct word word;
    memset(&word, 0, sizeof word);
    word.kind = WORD_FILE;
    word.stage = stage;
    say(child->words, &word, fd);
    close(fd);
  }
}

/* exec gives every signal with a handler its default, so only the ignored ones matter. */
static void restore_signals(void) {
  for (int i = 0; i < IGNORED_COUNT; i++) signal(ignored_signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Tries each directory of PATH, as execvp does, but never hands a file to a shell. Returns errno. */
static int execute(const struct child *child) {
  const char *program = child->spec->program;
  if (strchr(program, '/') != NULL) {
    execve(program, child->arguments, child->environment);
    return errno;
  }
  bool forbidden = false;
  for (const char *at = child->spec->path;;) {
    size_t length = strcspn(at, ":");
    char path[4096];
    struct text text = TEXT_IN(path);
    text_bytes(&text, at, length);
    if (length > 0) text_char(&text, '/');
    text_string(&text, program);
    if (text_end(&text)) {
      execve(path, child->arguments, child->environment);
      if (errno == EACCES) forbidden = true;
      else if (errno != ENOENT && errno != ENOTDIR) return errno;
    }
    if (at[length] == 0) break;
    at += length + 1;
  }
  return forbidden ? EACCES : ENOENT;
}

_Noreturn void child_become(const struct child *child) {
  const struct spec *spec = child->spec;
  setsid();
  if (child->is_prepared) {
    char go;
    close(child->words_of_run); /* else its socket would not close when run dies */
    if (recv(child->words, &go, 1, 0) != 1) _exit(127);
  }
  if (child->cgroup >= 0 && !write_text(child->cgroup, "cgroup.procs", "0")) fail(child, STAGE_CGROUP, errno);
  set_oom(child);
  set_limits(child);
  if (spec->has_nice && setpriority(PRIO_PROCESS, 0, spec->nice) != 0) fail(child, STAGE_NICE, errno);
  if (spec->has_umask) umask(spec->umask);
  set_user(child);
  if (spec->cwd != NULL && chdir(spec->cwd) != 0) fail(child, STAGE_CWD, errno);
  open_files(child);
  for (int i = 0; i < 3; i++)
    if (child->stdio[i] != i && dup2(child->stdio[i], i) < 0) fail(child, STAGE_SETUP, errno);
  restore_signals();

  struct word word;
  memset(&word, 0, sizeof word);
  word.kind = WORD_READY;
  word.boot_ns = boot_ns();
  if (spec->has_last && word.boot_ns > spec->last_ns) fail(child, STAGE_DEADLINE, 0);
  /* Without run nobody would learn of the command. It can still die after this line: then the start is unknown. */
  if (getppid() != child->parent) _exit(127);
  say(child->words, &word, -1);
  fail(child, STAGE_EXEC, execute(child));
}
