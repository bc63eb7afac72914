/* The loop of `kron-shim serve`. See serve.h. */
#include "serve.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "burst.h"
#include "process.h"
#include "run.h"

enum { LOCK_PAUSE_MS = 50, PIPE_ROOM = 1048576, EVENTS = 64 };

struct serve serve;

_Noreturn void serve_die(const char *message, int status) {
  char line[256];
  struct text text = TEXT_IN(line);
  text_string(&text, "kron-shim serve: ");
  text_string(&text, message);
  text_char(&text, '\n');
  (void)!write(2, line, text.used);
  _exit(status);
}

bool serve_listen(int fd, uint32_t events, enum source source, uint32_t number) {
  struct epoll_event event = {.events = events};
  event.data.u64 = (uint64_t)source << 32 | number;
  return epoll_ctl(serve.epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void serve_change(int fd, uint32_t events, enum source source, uint32_t number) {
  struct epoll_event event = {.events = events};
  event.data.u64 = (uint64_t)source << 32 | number;
  epoll_ctl(serve.epoll, EPOLL_CTL_MOD, fd, &event);
}

void tell_refused(uint32_t ref, const char *stage, int error, const char *detail) {
  link_begin("refused");
  link_number(ref);
  link_field(stage);
  link_number((uint64_t)error);
  link_field(detail);
  link_end();
}

void tell_unknown(uint32_t ref) {
  link_begin("unknown");
  link_number(ref);
  link_end();
}

static uint64_t ref_field(struct fields *fields) {
  uint64_t ref;
  if (!field_number(fields, 1, UINT32_MAX, &ref)) serve_die("bad frame: ref", 2);
  return ref;
}

static const char *text_field_of(struct fields *fields) {
  const char *field = field_next(fields);
  if (field == NULL) serve_die("bad frame: too few fields", 2);
  return field;
}

static void handle_end(struct fields *fields) {
  uint32_t ref = (uint32_t)ref_field(fields);
  int why = why_of(text_field_of(fields));
  const char *how = text_field_of(fields);
  bool now = strcmp(how, "now") == 0;
  if (why < 0 || (!now && strcmp(how, "grace") != 0)) serve_die("bad frame: end", 2);
  watch_end(ref, why | (now ? ORDER_NOW : 0));
}

static void handle(const char *body, size_t size) {
  struct fields fields = {body, body + size};
  const char *kind = text_field_of(&fields);
  if (strcmp(kind, "start") == 0) {
    uint32_t ref = (uint32_t)ref_field(&fields);
    const char *claim = text_field_of(&fields);
    start_run(ref, claim, fields.at, (size_t)(fields.end - fields.at));
  } else if (strcmp(kind, "end") == 0) {
    handle_end(&fields);
  } else if (strcmp(kind, "cancel") == 0) {
    held_cancel((uint32_t)ref_field(&fields)); /* a start whose time has come goes on */
  } else if (strcmp(kind, "follow") == 0) {
    uint32_t ref = (uint32_t)ref_field(&fields);
    watch_follow(ref, text_field_of(&fields));
  } else if (strcmp(kind, "notify") == 0) {
    notify_send(text_field_of(&fields));
  } else if (strcmp(kind, "answer") == 0) {
    uint64_t connection;
    if (!field_number(&fields, 1, UINT64_MAX, &connection)) serve_die("bad frame: answer", 2);
    bool last = strcmp(text_field_of(&fields), "last") == 0;
    control_answer(connection, last, text_field_of(&fields));
  } else {
    serve_die("bad frame: unknown kind", 2);
  }
}

/* Takes the lock, waiting if asked. False: somebody else has it to the end. */
static bool take_lock(int64_t wait_ms) {
  int64_t until = now_ms() + wait_ms;
  bool told = false;
  while (flock(FD_LOCK, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) serve_die("cannot lock descriptor 4", 2);
    if (now_ms() >= until) return false;
    if (!told) {
      link_begin("waiting");
      link_end();
      told = true;
    }
    if (!link_flush()) _exit(0);
    struct pollfd gone = {FD_FRAMES, 0, 0};
    if (poll(&gone, 1, LOCK_PAUSE_MS) > 0 && (gone.revents & (POLLHUP | POLLERR)) != 0) _exit(0);
  }
  return true;
}

/* Opens all file descriptors up to 9, so that a file opened later gets a higher number and not one with a fixed meaning. */
static void fill_low_descriptors(void) {
  fcntl(FD_FRAMES, F_SETFD, FD_CLOEXEC);
  fcntl(FD_LOCK, F_SETFD, FD_CLOEXEC);
  for (int fd = 0; fd < FD_FIRST_FREE; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) < 0) serve_die("cannot open /dev/null", 2);
}

static int open_directory(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) serve_die("cannot open a directory it was given", 2);
  return fd;
}

/* Gives a descriptor the number that it has in every run. */
static int put(int fd, int number) {
  if (dup3(fd, number, O_CLOEXEC) < 0) serve_die("cannot place a descriptor", 2);
  close(fd);
  return number;
}

/* A pipe whose write end has this number. Returns the read end. */
static int open_pipe(int number) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) serve_die("cannot make a pipe", 2);
  fcntl(ends[1], F_SETPIPE_SZ, PIPE_ROOM); /* without the privilege it stays at 64 KiB */
  put(ends[1], number);
  return ends[0];
}

/* 0 and 1 are /dev/null, here and in every run. 2 is krond's own: only serve writes there. */
static void open_null(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0) serve_die("cannot open /dev/null", 2);
  close(null);
}

static void read_boot_id(void) {
  ssize_t size = read_small(AT_FDCWD, "/proc/sys/kernel/random/boot_id", serve.boot, sizeof serve.boot - 1);
  if (size <= 0) serve_die("cannot read /proc/sys/kernel/random/boot_id", 2);
  serve.boot[strcspn(serve.boot, "\n")] = 0;
}

static void prepare(char **argv) {
  serve.claims_path = argv[2];
  serve.claims = put(open_directory(argv[2]), FD_CLAIMS);
  serve.runs = put(open_directory(argv[3]), FD_RUNS);
  serve.sync = strcmp(argv[5], "1") == 0;
  serve.cgroup = -1;
  if (strcmp(argv[7], "-") != 0) {
    if (argv[7][0] != '/' || strlen(argv[7]) > CGROUP_PATH_MAX - EXECUTION_MAX - 8) serve_die("bad CGROUP", 2);
    serve.cgroup_path = argv[7];
    serve.cgroup = open_directory(argv[7]);
  }
  open_null();
  read_boot_id();
  serve.status = open_pipe(FD_STATUS);
  serve.output = open_pipe(FD_OUTPUT);
  relay_open();
  process_try_clock();
  /* Only now: a process that cannot be dumped may not open every file of its own in /proc. */
  prctl(PR_SET_DUMPABLE, 0);

  reset_signals();
  for (int i = 0; i < IGNORED_COUNT; i++) signal(ignored_signals[i], SIG_IGN);
  /*
   * Blocked for good: serve takes no notice of SIGTERM. A run inherits all of this and reads these signals from a
   * descriptor, so that an order to end it cannot come too early.
   */
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigset_t children = blocked;
  sigaddset(&blocked, SIGTERM);
  sigaddset(&blocked, ORDER_SIGNAL);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  serve.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  serve.epoll = epoll_create1(EPOLL_CLOEXEC);
  serve.inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (serve.signals < 0 || serve.epoll < 0) serve_die("cannot make its event descriptors", 2);
}

static void reap(void) {
  struct signalfd_siginfo info;
  while (read(serve.signals, &info, sizeof info) > 0) continue;
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
    if (!watch_dead(pid, status)) held_dead(pid);
  start_retry(now_ms(), true);
}

static void earlier(int64_t *next, int64_t at) {
  if (at != 0 && (*next == 0 || at < *next)) *next = at;
}

static int64_t flushed_at; /* when krond was last sent everything */

/*
 * During a burst of starts krond hears nothing for up to BURST_MS: its work would take the processor time that the starts
 * need. Nothing depends on the news: the claims have it all.
 */
static bool is_quiet(void) { return burst_is_on() && now_ms() - flushed_at < BURST_MS; }

static int sleep_ms(void) {
  if (held_wants_more()) return 0;
  int64_t next = 0, now = now_ms();
  if (is_quiet()) next = flushed_at + BURST_MS;
  earlier(&next, burst_next());
  earlier(&next, start_next());
  earlier(&next, watch_next());
  earlier(&next, control_next());
  earlier(&next, relay_next());
  if (next == 0) return -1;
  return next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
}

static void dispatch(const struct epoll_event *event) {
  uint32_t number = (uint32_t)event->data.u64;
  switch ((enum source)(event->data.u64 >> 32)) {
    case ON_LINK:
    case ON_TIMER: break; /* the loop looks at these in any case */
    case ON_STATUS: relay_status(); break;
    case ON_OUTPUT: relay_output(); break;
    case ON_SIGNAL: reap(); break;
    case ON_CLAIM: watch_claims(); break;
    case ON_PIDFD: watch_event(number); break;
    case ON_CONTROL: control_accept(); break;
    case ON_CONNECTION: control_event(number, event->events); break;
  }
}

/* Waits for room in the socket while frames may be sent, and for output while krond keeps up with it. */
static void set_interest(void) {
  static bool writing = false, reading_output = true;
  bool waiting = link_waiting() > 0 && !is_quiet(), room = relay_has_room(now_ms());
  if (waiting != writing) serve_change(FD_FRAMES, EPOLLIN | (waiting ? (uint32_t)EPOLLOUT : 0u), ON_LINK, 0);
  if (room != reading_output) serve_change(serve.output, room ? (uint32_t)EPOLLIN : 0u, ON_OUTPUT, 0);
  writing = waiting;
  reading_output = room;
}

static _Noreturn void leave(void) {
  control_close();
  _exit(0);
}

static bool flush(void) {
  if (is_quiet()) return true;
  flushed_at = now_ms();
  return link_flush();
}

static _Noreturn void loop(void) {
  serve_listen(FD_FRAMES, EPOLLIN, ON_LINK, 0);
  serve_listen(serve.status, EPOLLIN, ON_STATUS, 0);
  serve_listen(serve.output, EPOLLIN, ON_OUTPUT, 0);
  serve_listen(serve.signals, EPOLLIN, ON_SIGNAL, 0);
  if (serve.inotify >= 0) serve_listen(serve.inotify, EPOLLIN, ON_CLAIM, 0);
  held_open();
  burst_open();
  for (;;) {
    if (!flush()) leave();
    set_interest();
    struct epoll_event events[EVENTS];
    int count = epoll_wait(serve.epoll, events, EVENTS, sleep_ms());
    if (count < 0 && errno != EINTR) serve_die("epoll_wait failed", 1);
    /* Starts come first: krond's frames before anything else that is ready. */
    if (!link_read(handle)) leave();
    held_tick();
    for (int i = 0; i < count; i++) dispatch(&events[i]);
    int64_t now = now_ms();
    start_retry(now, false);
    watch_tick(now);
    control_tick(now);
    held_prepare();
    burst_look(held_is_due(), watch_silent());
  }
}

static jmp_buf birth;
static struct handover newborn;

_Noreturn void serve_become(const struct handover *handover) {
  newborn = *handover;
  longjmp(birth, 1);
}

/* Returns only in a run that has ended. A run begins here with an empty stack, because it may stay for long. */
static int loop_or_live(void) {
  if (setjmp(birth) == 0) loop();
  return run_for_serve(&newborn);
}

int serve_main(int argc, char **argv) {
  uint64_t wait_ms;
  if (argc != 8 || !number_of(argv[6], 3600000, &wait_ms)) serve_die("wrong arguments", 2);
  setsid();
  prctl(PR_SET_NAME, "kron-shim");
  /* The directory and the umask stay krond's: a command that sets none of its own gets them. */
  fill_low_descriptors();
  link_open(FD_FRAMES);
  prepare(argv);
  bool locked = take_lock((int64_t)wait_ms);
  link_begin("hello");
  link_number(1);
  link_field(locked ? "locked" : "busy");
  /* krond reads CLOCK_MONOTONIC only; with this it knows CLOCK_BOOTTIME to the microsecond. */
  struct timespec monotonic;
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  link_number(boot_ns() - ((uint64_t)monotonic.tv_sec * 1000000000u + (uint64_t)monotonic.tv_nsec));
  link_end();
  if (!locked) {
    link_flush();
    return 3;
  }
  start_clean();
  if (strcmp(argv[4], "-") != 0) control_open(argv[4]);
  return loop_or_live();
}
