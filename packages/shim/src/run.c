/* `kron-shim run`: sets itself up, starts the command, tells the outcome. See run.h. */
#include "run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "memory.h"
#include "process.h"
#include "title.h"
#include "tree.h"

enum { FORK_RETRY_MS = 50, FORK_TRIES_MS = 5000, STUCK_MS = 1000, KEYCTL_JOIN = 1, DESCRIPTORS_MAX = 1048576, FEW_FIELDS = 64 };

static struct run run; /* one per process; not on the stack, so that its pages are touched only when used */

/* Says that the command was not and will not be executed. The claim goes first: then a retry is possible. */
static int refuse(enum stage stage, int error, const char *detail) {
  if (run.is_prepared) return 1; /* serve starts another run, at its time, and that one tells */
  if (run.by_serve && unlinkat(FD_CLAIMS, run.claim_name, 0) != 0) return 1; /* serve says `unknown` */
  if (run.cgroup_path[0] != 0) rmdir(run.cgroup_path);
  struct message message;
  message_begin(&message, run.ref, "refused");
  text_field(&message.text, stage_text(stage));
  text_number_field(&message.text, (uint64_t)error);
  text_field(&message.text, detail);
  return message_send_wait(&message, FD_STATUS) ? 0 : 1;
}

static void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  struct rlimit limit;
  int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS_MAX ? (int)limit.rlim_cur
                                                                                      : DESCRIPTORS_MAX;
  for (int fd = first; fd < end; fd++) close(fd);
}

/* Listens to the signals of a set, which is blocked. */
static void listen_to(const sigset_t *listened) { run.signals = signalfd(-1, listened, SFD_CLOEXEC | SFD_NONBLOCK); }

static void add_orders(sigset_t *listened) {
  sigemptyset(listened);
  sigaddset(listened, SIGCHLD);
  sigaddset(listened, SIGTERM);
  sigaddset(listened, ORDER_SIGNAL);
}

/* Returns true if run has a session keyring of its own, so that a job reads none of the daemon's keys. */
static bool settle(void) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setsid();
  /* If the system has no keyrings or forbids them, the job cannot use them either. */
  return syscall(SYS_keyctl, KEYCTL_JOIN, NULL) >= 0 || errno == ENOSYS || errno == EPERM;
}

/*
 * A run is a fork of serve. It inherits serve's process name, its blocked and ignored signals, which are right for a run,
 * and the protection from core dumps and ptrace. Of serve's descriptors it keeps 0, 1 and those that shim.h lists for a
 * run, and closes all others. The lock is closed first: the first dup3 puts the claim onto its number.
 */
static bool settle_for_serve(const struct handover *handover, bool *fresh_keyring) {
  if (dup3(handover->claim, FD_CLAIM, O_CLOEXEC) < 0) return false;
  if (handover->cgroup >= 0 && dup3(handover->cgroup, FD_CGROUP, O_CLOEXEC) < 0) return false;
  if (dup2(0, 2) < 0) return false;
  close(FD_FRAMES);
  close_from(handover->cgroup >= 0 ? FD_FIRST_FREE : FD_CGROUP);
  *fresh_keyring = settle();
  sigset_t listened;
  add_orders(&listened);
  listen_to(&listened);
  return run.signals >= 0; /* without it run would learn neither of an order nor of the end of its command */
}

/* Descriptors 0, 1, 2, 3 and 5 are the caller's, of which the command gets 0, 1 and 2 at most. */
static bool settle_for_caller(void) {
  prctl(PR_SET_NAME, "kron-shim");
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  close(FD_CLAIM);
  close_from(FD_CLAIMS);
  fcntl(FD_SPEC, F_SETFD, FD_CLOEXEC);
  fcntl(FD_STATUS, F_SETFD, FD_CLOEXEC);
  bool fresh_keyring = settle();

  reset_signals();
  for (int i = 0; i < IGNORED_COUNT; i++) signal(ignored_signals[i], SIG_IGN);
  /* A signal that is blocked waits for signalfd, even if it is ignored. */
  sigset_t listened;
  add_orders(&listened);
  sigaddset(&listened, SIGHUP);
  sigaddset(&listened, SIGINT);
  sigaddset(&listened, SIGQUIT);
  sigprocmask(SIG_SETMASK, &listened, NULL);
  listen_to(&listened);
  return fresh_keyring;
}

/* The spec's bytes, read from krontab's pipe to its end. */
static char *read_spec(size_t *size) {
  char *bytes = memory_for_run(FRAME_MAX + 1);
  if (bytes == NULL) return NULL;
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
  if (!run.by_serve && stream->sink == SINK_INHERIT) return number;
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
static pid_t fork_patiently(uint64_t *before_ns) {
  int64_t until = now_ms() + FORK_TRIES_MS;
  for (;;) {
    *before_ns = boot_ns();
    pid_t pid = _Fork();
    if (pid >= 0 || run.is_prepared || (errno != EAGAIN && errno != ENOMEM)) return pid;
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
    /* Not POLLIN: the child's words are read when its socket closes, so run wakes up once a start. */
    struct pollfd sources[2] = {{run.words, 0, 0}, {run.signals, POLLIN, 0}};
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
      if (got < 0) {
        /* Its words cannot be read, so it may have been executed. Only a certain refusal frees the period. */
        if (!ready) run.end.started_ns = boot_ns();
        return true;
      }
      if (got == 0) return ready && !refused;
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
  _Static_assert(FD_CGROUP == 9, "the path below names this descriptor");
  ssize_t size = readlink("/proc/self/fd/9", run.cgroup_path, CGROUP_PATH_MAX);
  run.cgroup_path[size > 0 && size < CGROUP_PATH_MAX ? size : 0] = 0;
}

/*
 * A prepared run has its child and waits until serve has named the claim. It dies here if serve takes the start back, or dies
 * itself (PR_SET_PDEATHSIG), or if anything else happens: nothing is executed then. Part 2 of the claim is written after
 * the wait. If serve dies after naming the claim but before the order, the claim has no part 2; that shows that no
 * command ran.
 */
static bool await_go(void) {
  struct signalfd_siginfo info;
  ssize_t size;
  do {
    struct pollfd orders = {run.signals, POLLIN, 0};
    poll(&orders, 1, -1);
    size = read(run.signals, &info, sizeof info);
  } while (size < 0);
  bool may_go = info.ssi_code == SI_QUEUE && info.ssi_int == ORDER_GO;
  if (!may_go || !claim_is_named(FD_CLAIM, FD_CLAIMS, run.claim_name)) return false;
  prctl(PR_SET_PDEATHSIG, 0);
  run.is_prepared = false;
  return true;
}

/* Makes everything the child needs, forks it and waits for its exec. Returns -1, or the exit status after a refusal. */
static int start(struct child *child) {
  int null = run.by_serve ? 0 : open("/dev/null", O_RDWR | O_CLOEXEC);
  int words[2];
  if (null < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, words) != 0)
    return refuse(STAGE_SETUP, errno, "");
  if (!run.by_serve) dup2(null, 0);
  child->stdio[0] = run.spec.stdin_text == NULL ? null : stdin_file(run.spec.stdin_text);
  child->stdio[1] = open_stream(1, null);
  child->stdio[2] = open_stream(2, null);
  for (int i = 0; i < 3; i++)
    if (child->stdio[i] < 0) return refuse(STAGE_SETUP, errno, "");
  child->words = words[1];
  child->words_of_run = words[0];
  child->cgroup = run.cgroup_path[0] == 0 ? -1 : FD_CGROUP;
  child->parent = run.self;
  child->is_prepared = run.is_prepared;

  uint64_t before_ns;
  run.command = fork_patiently(&before_ns);
  if (run.command < 0) return refuse(errno == 0 ? STAGE_KILLED : STAGE_FORK, errno, "");
  if (run.command == 0) child_become(child);
  run.command_start = process_start(run.command, before_ns, boot_ns());
  close(words[1]);
  for (int i = 0; i < 3; i++)
    if (child->stdio[i] > 2 && child->stdio[i] != null) close(child->stdio[i]);
  if (null > 2) close(null);
  run.words = words[0];

  if (child->is_prepared) {
    if (!await_go()) return 1;
    if (!report_part2(&run, false)) return refuse(STAGE_CLAIM, errno, ""); /* the child dies with its socket */
    if (send(run.words, "", 1, MSG_NOSIGNAL) != 1) kill(run.command, SIGKILL); /* else it would wait until its last start */
  }
  struct word failed;
  bool executed = await_exec(&failed);
  close_fd(&run.words);
  if (executed) return -1;
  waitpid(run.command, NULL, 0);
  return refuse(failed.stage, failed.error, stage_detail(failed.stage, &run.spec));
}

/* Its own name for `ps`, in the place of serve's: `kron-shim run JOB REF CLAIM`. */
static void take_name(void) {
  memcpy(run.job, run.spec.job, strlen(run.spec.job) + 1);
  char number[24];
  struct text text = TEXT_IN(number);
  text_number_field(&text, run.ref);
  const char *const words[] = {"kron-shim", "run", run.job, number, run.claim_name};
  title_set(words, LENGTH(words));
}

/* The whole life, from the spec on. Returns the exit status. */
static int live(char *bytes, size_t size, size_t room_of_bytes, bool fresh_keyring) {
  struct child child;
  memset(&child, 0, sizeof child);
  child.fresh_keyring = fresh_keyring;
  size_t room = spec_fields(bytes, size) + 1;
  size_t pointers = 2 * room * sizeof(char *);
  char *few[2 * FEW_FIELDS];
  char **lists = room <= FEW_FIELDS ? few : memory_for_run(pointers);
  if (lists == NULL) return refuse(STAGE_SETUP, errno, "");
  const char *wrong = spec_parse(bytes, size, &run.spec, lists, lists + room);
  if (wrong == NULL && run.spec.by_caller == run.by_serve) wrong = "end";
  if (wrong != NULL) return refuse(STAGE_SPEC, EINVAL, wrong);
  memcpy(run.execution, run.spec.execution, strlen(run.spec.execution));
  if (run.by_serve) take_name();
  child.spec = &run.spec;
  child.arguments = lists;
  child.environment = lists + room;

  struct output *output = &run.output;
  for (int i = 0; i < 2; i++) output->streams[i].pipe = output->streams[i].file = -1;
  output->ref = run.ref;
  output->job = run.job;
  output->log = run.by_serve ? FD_OUTPUT : -1;
  kept_init(&output->kept, run.by_serve ? FD_RUNS : -1, run.execution, run.by_serve ? run.spec.keep : 0);

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
  /* grace and the other numbers are in run.spec; its strings are not used any more */
  memory_free(bytes, room_of_bytes);
  if (lists != few) memory_free(lists, pointers);
  if (early != WHY_EXITED) run_end(&run, early, true);
  run_live(&run);
  if (run.cgroup_path[0] != 0) rmdir(run.cgroup_path);
  return 0;
}

int run_for_serve(const struct handover *handover) {
  uint64_t after_ns = boot_ns();
  bool fresh_keyring;
  if (!settle_for_serve(handover, &fresh_keyring)) return EXIT_NO_RUN;
  run.by_serve = true;
  run.ref = handover->ref;
  memcpy(run.claim_name, handover->claim_name, sizeof run.claim_name);
  if (handover->cgroup >= 0) find_cgroup();
  run.self = getpid();
  run.self_start = process_start(run.self, handover->before_ns, after_ns);
  run.is_prepared = handover->is_prepared;
  if (run.is_prepared) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != handover->serve) return 1;
  } else if (!report_part2(&run, false)) {
    return refuse(STAGE_CLAIM, errno, "");
  }
  return live(handover->spec, handover->spec_size, handover->spec_size, fresh_keyring);
}

int run_for_caller(const char *job) {
  struct text text = TEXT_IN(run.job);
  text_string(&text, job);
  if (!text_end(&text)) run.job[JOB_MAX] = 0;
  bool fresh_keyring = settle_for_caller();
  if (run.signals < 0) return refuse(STAGE_SETUP, errno, "");
  run.self = getpid();
  run.self_start = process_start(run.self, 0, UINT64_MAX);
  size_t size = 0;
  char *bytes = read_spec(&size);
  if (bytes == NULL) return refuse(STAGE_SPEC, errno, "");
  close(FD_SPEC);
  return live(bytes, size, FRAME_MAX + 1, fresh_keyring);
}
