/* `kron-shim run`: sets itself up, starts the command, tells the outcome. See run.h. */
#include "run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "process.h"
#include "tree.h"

enum { FORK_RETRY_MS = 50, FORK_TRIES_MS = 5000, STUCK_MS = 1000, KEYCTL_JOIN = 1, CLOSE_ON_EXEC = 4 };

static struct run run; /* one per process; not on the stack, so that its pages are touched only when used */

/* Says that the command was not and will not be executed. The claim goes first: then a retry is possible. */
static int refuse(enum stage stage, int error, const char *detail) {
  if (run.claim_name != NULL && unlinkat(FD_CLAIMS, run.claim_name, 0) != 0) return 1; /* serve says `unknown` */
  if (run.cgroup_path[0] != 0) rmdir(run.cgroup_path);
  struct message message;
  message_begin(&message, run.ref, "refused");
  text_field(&message.text, stage_text(stage));
  text_number_field(&message.text, (uint64_t)error);
  text_field(&message.text, detail);
  return message_send_wait(&message, FD_STATUS) ? 0 : 1;
}

static void close_from(unsigned first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  for (int fd = (int)first; fd < 4096; fd++) close(fd);
}

/* No descriptor but 0, 1 and 2 may reach the command. */
static void close_on_exec(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, FD_SPEC, ~0u, CLOSE_ON_EXEC) == 0) return;
#endif
  for (int fd = FD_SPEC; fd < FD_FIRST_FREE; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Nobody may inherit, read or signal what is not theirs. Returns true if run has a session keyring of its own. */
static bool settle(bool for_krontab) {
  prctl(PR_SET_NAME, "kron-shim");
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setsid();
  if (for_krontab) {
    close(FD_CLAIM);
    close_from(FD_CLAIMS);
  } else {
    close_from(FD_FIRST_FREE);
  }
  close_on_exec();

  if (for_krontab) reset_signals(); /* serve did it for all its runs */
  for (int i = 0; i < IGNORED_COUNT; i++) signal(ignored_signals[i], SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  sigset_t listened;
  sigemptyset(&listened);
  sigaddset(&listened, SIGCHLD);
  sigaddset(&listened, SIGTERM);
  sigaddset(&listened, ORDER_SIGNAL);
  if (for_krontab) {
    /* A signal that is blocked waits for signalfd, even if it is ignored. */
    sigaddset(&listened, SIGHUP);
    sigaddset(&listened, SIGINT);
    sigaddset(&listened, SIGQUIT);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  sigprocmask(SIG_SETMASK, &listened, NULL);
  run.signals = signalfd(-1, &listened, SFD_CLOEXEC | SFD_NONBLOCK);
  /* A system that knows or permits no keyrings permits them to the job neither. */
  return syscall(SYS_keyctl, KEYCTL_JOIN, NULL) >= 0 || errno == ENOSYS || errno == EPERM;
}

/* The spec's bytes: mapped from serve's memory file, or read from krontab's pipe to its end. */
static char *read_spec(size_t *size) {
  struct stat status;
  if (fstat(FD_SPEC, &status) != 0) return NULL;
  if (S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size <= FRAME_MAX) {
    *size = (size_t)status.st_size;
    void *bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, FD_SPEC, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
  }
  char *bytes = mmap(NULL, FRAME_MAX + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return NULL;
  size_t used = 0;
  while (used <= FRAME_MAX) {
    ssize_t count = read(FD_SPEC, bytes + used, FRAME_MAX + 1 - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return NULL;
    if (count == 0) break;
    used += (size_t)count;
  }
  *size = used;
  return used > FRAME_MAX ? NULL : bytes;
}

/* A memory file with the text for standard input, at its beginning. */
static int stdin_file(const char *text) {
  int fd = memfd_create("stdin", MFD_CLOEXEC);
  if (fd < 0) return -1;
  for (size_t size = strlen(text); size > 0;) {
    ssize_t count = write(fd, text, size);
    if (count <= 0) {
      close(fd);
      return -1;
    }
    text += count;
    size -= (size_t)count;
  }
  return lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* Prepares 1 or 2 of the command: the caller's own, /dev/null, or a pipe to run. Returns the command's end. */
static int open_stream(int number, int null) {
  const struct spec *spec = &run.spec;
  struct stream *stream = &run.output.streams[number - 1];
  stream->sink = spec->sink[number - 1];
  if (run.claim_name == NULL && stream->sink == SINK_INHERIT) return number;
  if (stream->sink == SINK_DISCARD && run.output.kept.keep == 0) return null;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  stream->pipe = ends[0];
  /* So that the job may open /dev/stdout by name. */
  if (spec->has_uid && fchown(ends[1], spec->uid, spec->gid) != 0 && geteuid() == 0) return -1;
  return ends[1];
}

/*
 * Forks; a system that is short of processes is asked again for a while, until the last permitted start. errno 0: run
 * was ordered to end meanwhile.
 */
static pid_t fork_patiently(void) {
  int64_t until = now_ms() + FORK_TRIES_MS;
  for (;;) {
    pid_t pid = fork();
    if (pid >= 0 || (errno != EAGAIN && errno != ENOMEM)) return pid;
    int error = errno;
    bool late = run.spec.has_last && boot_ns() > run.spec.last_ns;
    struct pollfd wait = {run.signals, POLLIN, 0};
    bool ordered = poll(&wait, 1, FORK_RETRY_MS) > 0;
    if (ordered || late || now_ms() >= until) {
      errno = ordered ? 0 : error;
      return -1;
    }
  }
}

/*
 * How long the child may still take, in milliseconds for poll; -1: for ever. The child itself looks at the last
 * permitted start; STUCK_MS later it cannot be on its way to exec any more.
 */
static int until_stuck_ms(void) {
  if (!run.spec.has_last) return -1;
  uint64_t now_ms = boot_ns() / 1000000u, stuck_ms = run.spec.last_ns / 1000000u + STUCK_MS;
  if (now_ms > stuck_ms) return 0;
  return stuck_ms - now_ms >= 1000000000u ? 1000000000 : (int)(stuck_ms - now_ms) + 1;
}

/*
 * Listens to the child until its socket closes: by exec, or by its death. Returns true if the command was executed;
 * else *failed says why not.
 */
static bool await_exec(struct word *failed) {
  bool ready = false, stuck = false;
  memset(failed, 0, sizeof *failed);
  failed->stage = STAGE_KILLED;
  bool refused = false;
  for (;;) {
    struct pollfd sources[2] = {{run.words, POLLIN, 0}, {run.signals, POLLIN, 0}};
    int count = poll(sources, 2, stuck ? -1 : until_stuck_ms());
    if (count < 0) continue;
    if (count == 0) {
      /* A directory that does not answer, or a user who stops the child, must not hold a start for ever. */
      stuck = until_stuck_ms() == 0;
      if (!stuck) continue;
      kill(run.command, SIGKILL);
      failed->stage = STAGE_DEADLINE;
    } else if (sources[0].revents != 0) {
      struct word word;
      int file;
      int got = word_receive(run.words, &word, &file);
      if (got <= 0) return ready && !refused;
      if (word.kind == WORD_FILE) run.output.streams[word.stage == STAGE_STDOUT ? 0 : 1].file = file;
      if (word.kind == WORD_READY) {
        ready = true;
        run.end.started_ns = word.boot_ns;
      }
      if (word.kind == WORD_FAILED) {
        refused = true;
        *failed = word;
      }
    } else if (sources[1].revents != 0) {
      struct signalfd_siginfo info;
      if (read(run.signals, &info, sizeof info) != (ssize_t)sizeof info || info.ssi_signo == SIGCHLD) continue;
      kill(run.command, SIGKILL); /* ordered to end before the start: the socket tells how far it came */
      run.why = info.ssi_code == SI_QUEUE && (info.ssi_int & ~ORDER_NOW) >= WHY_REPLACED &&
                    (info.ssi_int & ~ORDER_NOW) <= WHY_UNRECORDED
                  ? (enum why)(info.ssi_int & ~ORDER_NOW)
                  : WHY_REQUESTED;
    }
  }
}

static bool tell_started(void) {
  struct message message;
  message_begin(&message, run.ref, "started");
  text_number_field(&message.text, (uint64_t)run.command);
  text_number_field(&message.text, run.command_start);
  text_number_field(&message.text, (uint64_t)run.self);
  text_number_field(&message.text, run.self_start);
  text_number_field(&message.text, run.end.started_ns);
  return message_send_wait(&message, FD_STATUS);
}

static void find_cgroup(void) {
  struct stat status;
  if (run.claim_name == NULL || fstat(FD_CGROUP, &status) != 0 || !S_ISDIR(status.st_mode)) return;
  ssize_t size = readlink("/proc/self/fd/9", run.cgroup_path, CGROUP_PATH_MAX);
  run.cgroup_path[size > 0 && size < CGROUP_PATH_MAX ? size : 0] = 0;
}

/* Makes everything the child needs, forks it and waits for its exec. Returns -1, or the exit status after a refusal. */
static int start(struct child *child) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  int words[2];
  if (null < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, words) != 0)
    return refuse(STAGE_SETUP, errno, "");
  if (run.claim_name == NULL) dup2(null, 0);
  child->stdio[0] = run.spec.stdin_text == NULL ? null : stdin_file(run.spec.stdin_text);
  child->stdio[1] = open_stream(1, null);
  child->stdio[2] = open_stream(2, null);
  for (int i = 0; i < 3; i++)
    if (child->stdio[i] < 0) return refuse(STAGE_SETUP, errno, "");
  child->words = words[1];
  child->cgroup = run.cgroup_path[0] == 0 ? -1 : FD_CGROUP;
  child->parent = run.self;

  run.command = fork_patiently();
  if (run.command < 0) return refuse(errno == 0 ? STAGE_KILLED : STAGE_FORK, errno, "");
  if (run.command == 0) child_become(child);
  struct process process = {0};
  process_read(run.command, &process);
  run.command_start = process.start;
  close(words[1]);
  for (int i = 0; i < 3; i++)
    if (child->stdio[i] > 2 && child->stdio[i] != null) close(child->stdio[i]);
  close(null);
  run.words = words[0];

  struct word failed;
  bool executed = await_exec(&failed);
  close_fd(&run.words);
  if (executed) return -1;
  waitpid(run.command, NULL, 0);
  return refuse(failed.stage, failed.error, stage_detail(failed.stage, &run.spec));
}

int run_main(int argc, char **argv) {
  uint64_t ref = 0;
  bool by_serve = argc == 5 && number_of(argv[3], UINT32_MAX, &ref) && claim_name_is_good(argv[4]);
  if (!by_serve && argc != 3) return 2;
  run.ref = (uint32_t)ref;
  run.claim_name = by_serve ? argv[4] : NULL;
  run.self = getpid();
  find_cgroup(); /* before anything is opened: 9 may be free */
  struct child child;
  memset(&child, 0, sizeof child);
  child.fresh_keyring = settle(!by_serve);
  struct process process = {0};
  process_read(run.self, &process);
  run.self_start = process.start;
  if (!report_part2(&run, false)) return refuse(STAGE_CLAIM, errno, "");

  size_t size = 0;
  char *bytes = read_spec(&size);
  if (bytes == NULL) return refuse(STAGE_SPEC, errno, "");
  close(FD_SPEC);
  size_t room = spec_fields(bytes, size) + 1;
  size_t pointers = 2 * room * sizeof(char *);
  char **lists = mmap(NULL, pointers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (lists == MAP_FAILED) return refuse(STAGE_SETUP, errno, "");
  const char *wrong = spec_parse(bytes, size, &run.spec, lists, lists + room);
  if (wrong == NULL && run.spec.by_caller == by_serve) wrong = "end";
  if (wrong != NULL) return refuse(STAGE_SPEC, EINVAL, wrong);
  memcpy(run.execution, run.spec.execution, strlen(run.spec.execution));
  child.spec = &run.spec;
  child.arguments = lists;
  child.environment = lists + room;

  struct output *output = &run.output;
  for (int i = 0; i < 2; i++) output->streams[i].pipe = output->streams[i].file = -1;
  output->ref = run.ref;
  output->job = argv[2];
  output->log = by_serve ? FD_OUTPUT : -1;
  kept_init(&output->kept, by_serve ? FD_RUNS : -1, run.execution, by_serve ? run.spec.keep : 0);

  int refused = start(&child);
  if (refused >= 0) return refused;
  output->command = run.command;
  if (run.spec.has_timeout) {
    int64_t now = now_ms();
    run.timeout_at = run.spec.timeout_ms > (uint64_t)(INT64_MAX - now) ? 0 : now + (int64_t)run.spec.timeout_ms;
  }
  enum why early = run.why;
  run.why = WHY_EXITED;
  /* From here on the command is known to run; a claim that cannot say so must not hide it from serve. */
  report_part2(&run, true);
  tell_started();
  munmap(bytes, size); /* grace and the other numbers are in run.spec; its strings are not used any more */
  munmap(lists, pointers);
  if (early != WHY_EXITED) run_end(&run, early, true);
  run_live(&run);
  if (run.cgroup_path[0] != 0) rmdir(run.cgroup_path);
  return 0;
}
