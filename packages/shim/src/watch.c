/*
 * Every run that serve knows. Its own runs are children: they speak through the status pipe, and waitpid tells their
 * death; they cost no descriptor. Runs of earlier daemons are followed by their claim: inotify tells of changes, a
 * pidfd of the end of the shim or, if the shim is dead, of the command.
 */
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/wait.h>

#include "memory.h"
#include "process.h"
#include "watch.h"

enum { LOOK_AGAIN_MS = 1000, KILL_AGAIN_MS = 100 };

static struct watched *all;
static size_t count, room;
static size_t silent; /* own runs that have said nothing yet */
static bool need_look; /* entries that nothing wakes, or that have a kill_at */

static struct watched *find(uint32_t ref) {
  for (size_t i = count; i > 0; i--)
    if (all[i - 1].ref == ref && all[i - 1].state != RUN_DONE) return &all[i - 1];
  return NULL;
}

static struct watched *add(uint32_t ref, const char *claim) {
  if (count == room) {
    size_t more = room == 0 ? 64 : room * 2;
    struct watched *bigger = memory_grow(all, room * sizeof *all, more * sizeof *all);
    if (bigger == NULL) serve_die("out of memory", 1);
    all = bigger;
    room = more;
  }
  struct watched *run = &all[count++];
  memset(run, 0, sizeof *run);
  run->ref = ref;
  run->pidfd = run->watch = -1;
  memcpy(run->claim, claim, strlen(claim) + 1); /* a good name: it fits */
  return run;
}

static void forget(struct watched *run) {
  close_fd(&run->pidfd); /* epoll forgets it by itself */
  int watch = run->watch;
  *run = all[--count];
  if (watch < 0) return;
  for (size_t i = 0; i < count; i++)
    if (all[i].watch == watch) return;
  inotify_rm_watch(serve.inotify, watch);
}

bool watch_any(void) { return count > 0; }

size_t watch_silent(void) { return silent; }

static void note_word(struct watched *run) {
  if (run->silent) silent--;
  run->silent = false;
  memory_free(run->spec, run->spec_size);
  run->spec = NULL;
}

static void tell(const char *kind, uint32_t ref) {
  link_begin(kind);
  link_number(ref);
  link_end();
}

static void tell_started(struct watched *run, const struct claim *claim) {
  run->state = RUN_STARTED;
  link_begin("started");
  link_number(run->ref);
  link_number((uint64_t)claim->command);
  link_number(claim->command_start);
  link_number((uint64_t)claim->shim);
  link_number(claim->shim_start);
  link_number(claim->started_ns);
  link_end();
}

static void tell_ended(const struct watched *run, const struct claim *claim) {
  link_begin("ended");
  link_number(run->ref);
  link_bytes(claim->end, claim->end_size);
  link_end();
}

/* --- own runs --- */

void watch_add_own(uint32_t ref, pid_t shim, const char *claim, uint64_t grace_ms) {
  struct watched *run = add(ref, claim);
  run->own = run->silent = true;
  silent++;
  run->shim = shim;
  run->grace_ms = grace_ms;
}

void watch_add_prepared(uint32_t ref, pid_t shim, const char *claim, const char *spec, size_t size, uint64_t grace_ms) {
  watch_add_own(ref, shim, claim, grace_ms);
  struct watched *run = &all[count - 1];
  run->spec = memory_grow(NULL, 0, size); /* without memory a run that dies is refused */
  run->spec_size = size;
  if (run->spec != NULL) memcpy(run->spec, spec, size);
}

void watch_started(uint32_t ref, pid_t command, uint64_t start) {
  struct watched *run = find(ref);
  if (run == NULL) return;
  note_word(run);
  run->state = RUN_STARTED;
  run->command = command;
  run->command_start = start;
}

void watch_done(uint32_t ref, bool ended) {
  struct watched *run = find(ref);
  if (run == NULL) return;
  note_word(run);
  run->state = RUN_DONE;
  if (ended && run->own) process_tell_taken(run->shim); /* not reaped yet: the number is still its own */
}

/* --- runs whose shim is dead (orphan.c signals them) --- */

static void end_adopted(struct watched *run, int order) {
  orphan_end(run, order);
  need_look = true;
}

/* The command of a dead shim has ended: nobody knows its exit status. */
static void lose(struct watched *run) {
  if (run->kill_at != 0) orphan_signal(run, SIGKILL); /* the rest of a run that was ended */
  orphan_remove_cgroup(run);
  tell("lost", run->ref);
  forget(run);
}

static void listen_to(struct watched *run, pid_t pid, uint64_t start) {
  if (run->pidfd >= 0) return;
  run->pidfd = process_open(pid, start);
  if (run->pidfd < 0 || !serve_listen(run->pidfd, EPOLLIN, ON_PIDFD, run->ref)) {
    close_fd(&run->pidfd);
    need_look = true;
  }
}

/* The shim is dead and left no end. Goes on with its command, if that lives. */
static void adopt(struct watched *run) {
  if (run->command == 0 || !process_lives(run->command, run->command_start)) {
    lose(run);
    return;
  }
  if (!run->orphan) close_fd(&run->pidfd); /* it was the shim's */
  run->orphan = true;
  listen_to(run, run->command, run->command_start);
  if (run->order != 0 && run->kill_at == 0) end_adopted(run, run->order);
}

/* --- reading a claim --- */

static void learn(struct watched *run, const struct claim *claim) {
  if (claim->part2 != PART_GOOD) return;
  run->shim = claim->shim;
  run->shim_start = claim->shim_start;
  if (!claim->has_command) return;
  run->command = claim->command;
  run->command_start = claim->command_start;
  run->grace_ms = claim->grace_ms;
}

/* Passes an order that could not be sent yet on to a living shim. */
static void send_order(struct watched *run) {
  if (!run->order_waits || run->shim == 0) return;
  if (process_order(run->shim, run->shim_start, run->own, run->order)) run->order_waits = false;
}

/*
 * True for a claim whose part 2 was never written, if nobody holds it: serve was killed before it forked run or before it
 * told a prepared run to go on, or run was killed before its first act. No command can have been executed before part 2
 * is written.
 */
static bool nothing_was_executed(const struct claim *claim) {
  return claim->part1 == PART_GOOD && claim->part2 == PART_EMPTY && claim->part3 == PART_EMPTY;
}

/* Judges a followed run, or an own one whose shim has died, by its claim. May forget it. */
static void look(struct watched *run) {
  struct claim claim;
  bool locked = false;
  if (!claim_read(serve.claims, run->claim, &claim, &locked)) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) need_look = true;
    else if (errno == ENOENT && run->state == RUN_STARTING) {
      tell("gone", run->ref);
      forget(run);
    } else if (!run->own) adopt(run);
    return;
  }
  learn(run, &claim);
  if (claim.part3 == PART_GOOD) {
    tell_ended(run, &claim);
    forget(run);
    return;
  }
  if (run->state == RUN_STARTING && claim.has_command &&
      (locked || process_lives(claim.command, claim.command_start)))
    tell_started(run, &claim);
  if (!locked && run->state == RUN_STARTING && nothing_was_executed(&claim) && unlinkat(serve.claims, run->claim, 0) == 0) {
    tell("gone", run->ref);
    forget(run);
    return;
  }
  if (!locked) {
    adopt(run);
    return;
  }
  if (run->shim != 0) listen_to(run, run->shim, run->shim_start);
  else need_look = true; /* the kernel tells of the last close a moment before it frees the lock */
  send_order(run);
}

/* The shim of an own run has died: its claim tells how far it came. May forget the run. */
static void judge_dead(struct watched *run, int status) {
  note_word(run);
  run->own = false;
  if (run->state == RUN_DONE) {
    forget(run);
    return;
  }
  struct claim claim;
  bool locked;
  bool readable = claim_read(serve.claims, run->claim, &claim, &locked);
  if (run->state == RUN_STARTING) {
    bool has_no_descriptors = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_RUN;
    if (has_no_descriptors || (readable && nothing_was_executed(&claim))) {
      if (unlinkat(serve.claims, run->claim, 0) != 0) tell_unknown(run->ref);
      else if (has_no_descriptors) tell_refused(run->ref, "setup", 0, "kron-shim run");
      else tell_refused(run->ref, "killed", 0, "");
      forget(run);
      return;
    }
    if (!readable || !claim.has_command) {
      tell_unknown(run->ref);
      forget(run);
      return;
    }
    tell_started(run, &claim); /* it had written so, but died before it could say so */
  }
  if (readable) learn(run, &claim);
  if (readable && claim.part3 == PART_GOOD) {
    tell_ended(run, &claim);
    forget(run);
    return;
  }
  adopt(run);
}

/*
 * A prepared run has died after its claim got the name and before its first act: it was killed, or could not fork its
 * child. Nothing was executed, so the start is made as if it had not been prepared. False: it is none of these.
 */
static bool begin_again(struct watched *run) {
  struct claim claim;
  bool locked;
  if (run->spec == NULL || run->order != 0 || !claim_read(serve.claims, run->claim, &claim, &locked) ||
      !nothing_was_executed(&claim) || unlinkat(serve.claims, run->claim, 0) != 0)
    return false;
  struct watched dead = *run;
  run->spec = NULL;
  note_word(run);
  forget(run);
  start_now(dead.ref, dead.claim, dead.spec, dead.spec_size);
  memory_free(dead.spec, dead.spec_size);
  return true;
}

bool watch_dead(pid_t shim, int status) {
  relay_status(); /* its last words are in the pipe */
  size_t i = 0;
  while (i < count && !(all[i].own && all[i].shim == shim)) i++;
  if (i == count) return false;
  if (!begin_again(&all[i])) judge_dead(&all[i], status);
  return true;
}

/* --- frames and events --- */

APART static void watch_claim(struct watched *run) {
  char path[4096];
  struct text text = TEXT_IN(path);
  text_string(&text, serve.claims_path);
  text_char(&text, '/');
  text_string(&text, run->claim);
  if (!text_end(&text) || serve.inotify < 0) return;
  run->watch = inotify_add_watch(serve.inotify, path, IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF);
}

void watch_follow(uint32_t ref, const char *claim) {
  if (!claim_name_is_good(claim)) {
    tell("gone", ref);
    return;
  }
  struct watched *run = add(ref, claim);
  watch_claim(run); /* before the first look: no change is missed */
  look(run);
}

void watch_end(uint32_t ref, int order) {
  if (held_cancel(ref) || start_cancel(ref)) return;
  struct watched *run = find(ref);
  if (run == NULL) return; /* it has ended: krond learns of it in a moment */
  if (run->orphan) {
    end_adopted(run, order);
    return;
  }
  run->order = order | (run->order & ORDER_NOW);
  run->order_waits = true;
  send_order(run);
}

void watch_event(uint32_t ref) {
  struct watched *run = find(ref);
  if (run == NULL || run->pidfd < 0) return;
  /* The event may be the shim's, from before serve adopted the command: it does not prove that the command has ended. */
  if (run->orphan) adopt(run);
  else look(run);
}

void watch_claims(void) {
  _Alignas(8) char events[4096];
  ssize_t size;
  while ((size = read(serve.inotify, events, sizeof events)) > 0) {
    for (ssize_t at = 0; at < size;) {
      struct inotify_event *event = (struct inotify_event *)(void *)(events + at);
      at += (ssize_t)(sizeof *event + event->len);
      for (size_t i = count; i > 0; i--) {
        if (i > count || all[i - 1].own || all[i - 1].orphan) continue;
        bool overflow = (event->mask & IN_Q_OVERFLOW) != 0;
        if (!overflow && all[i - 1].watch != event->wd) continue;
        if ((event->mask & IN_IGNORED) != 0) all[i - 1].watch = -1;
        look(&all[i - 1]);
      }
    }
  }
}

void watch_tick(int64_t now) {
  static int64_t looked_at = 0;
  if (!need_look) return;
  bool look_now = now - looked_at >= LOOK_AGAIN_MS;
  need_look = false;
  if (look_now) looked_at = now;
  for (size_t i = count; i > 0; i--) {
    if (i > count) continue;
    struct watched *run = &all[i - 1];
    if (run->own || run->state == RUN_DONE) continue;
    if (run->kill_at != 0) {
      need_look = true;
      if (now >= run->kill_at) {
        orphan_signal(run, SIGKILL);
        run->kill_at = now + KILL_AGAIN_MS;
      }
    }
    if (run->pidfd >= 0) continue;
    need_look = true;
    if (!look_now) continue;
    if (run->orphan) adopt(run);
    else look(run);
  }
}

int64_t watch_next(void) {
  if (!need_look) return 0;
  int64_t next = now_ms() + LOOK_AGAIN_MS;
  for (size_t i = 0; i < count; i++)
    if (all[i].kill_at != 0 && all[i].kill_at < next) next = all[i].kill_at;
  return next;
}
