/* Starts runs, each with a claim and a fork of serve that becomes the run, and prepares them before their time. See serve.h. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "memory.h"
#include "process.h"
#include "run.h"
#include "serve.h"

enum { RETRY_MS = 50, TRIES_MS = 5000 };

/* A start that waits until the system has processes again. It has no claim yet. */
struct delayed {
  struct delayed *next;
  uint32_t ref;
  int64_t until;
  size_t size;
  char claim[CLAIM_NAME_MAX + 1];
  char spec[];
};

static struct delayed *delayed;
static int64_t retry_at;

static bool cgroup_name(char *name, size_t room, const char *execution) {
  struct text text = {name, 0, room, false};
  text_string(&text, "run-");
  text_string(&text, execution);
  return text_end(&text);
}

/* Makes the cgroup of a run and opens it. */
static int make_cgroup(const char *name) {
  if (mkdirat(serve.cgroup, name, 0755) != 0 && errno != EEXIST) return -1;
  return openat(serve.cgroup, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static void remove_cgroup(void *context, const char *name) {
  (void)context;
  if (strncmp(name, "run-", 4) == 0) unlinkat(serve.cgroup, name, AT_REMOVEDIR); /* one with processes says EBUSY */
}

/* Forks; the child is the run. `_Fork`: there are no other threads and no handlers to call. */
static pid_t spawn(struct handover *handover) {
  handover->before_ns = boot_ns();
  pid_t pid = _Fork();
  if (pid == 0) serve_become(handover);
  return pid;
}

static bool is_shortage(int error) { return error == EAGAIN || error == ENOMEM; }

static void remove_group(const struct spec *spec) {
  char group[EXECUTION_MAX + 8];
  if (serve.cgroup >= 0 && cgroup_name(group, sizeof group, spec->execution))
    unlinkat(serve.cgroup, group, AT_REMOVEDIR);
}

/*
 * Makes the cgroup, forks the run, and closes the claim. The run has its own descriptor of the claim, so it keeps the lock.
 * Returns -1 with errno if it cannot; then *stage says where, and no cgroup is left.
 */
static pid_t fork_run(struct handover *handover, const char *bytes, const struct spec *spec, const char **stage) {
  char group[EXECUTION_MAX + 8];
  pid_t pid = -1;
  *stage = "setup";
  handover->spec = memory_for_run(handover->spec_size);
  if (handover->spec != NULL && serve.cgroup >= 0) {
    *stage = "cgroup";
    handover->cgroup = cgroup_name(group, sizeof group, spec->execution) ? make_cgroup(group) : -1;
  }
  if (handover->spec != NULL && (serve.cgroup < 0 || handover->cgroup >= 0)) {
    *stage = "fork";
    memcpy(handover->spec, bytes, handover->spec_size);
    pid = spawn(handover);
  }
  int error = errno;
  memory_free(handover->spec, handover->spec_size);
  close_fd(&handover->cgroup);
  close(handover->claim);
  if (pid < 0) remove_group(spec);
  errno = error;
  return pid;
}

static struct handover handover_of(uint32_t ref, const char *name, int claim, size_t size) {
  struct handover handover = {.ref = ref, .claim = claim, .cgroup = -1, .spec_size = size};
  memcpy(handover.claim_name, name, strlen(name) + 1); /* a good name: it fits */
  return handover;
}

static struct claim_facts facts_of(const struct spec *spec) {
  return (struct claim_facts){.execution = spec->execution, .boot = serve.boot, .keep = spec->keep, .sync = serve.sync};
}

/* The claim of this start could not be made, or could not get its name. */
static void tell_unclaimed(uint32_t ref, const char *name, int error) {
  if (error != EEXIST) {
    tell_refused(ref, "claim", error, name);
    return;
  }
  link_begin("already");
  link_number(ref);
  link_end();
}

/* Tries once. Returns 0 if the start was answered or is under way, else the errno of the shortage; then nothing is left. */
static int attempt(uint32_t ref, const char *name, const char *bytes, size_t size, const struct spec *spec) {
  struct claim_facts facts = facts_of(spec);
  int claim = claim_create(serve.claims, name, &facts);
  if (claim < 0) {
    tell_unclaimed(ref, name, errno);
    return 0;
  }
  struct handover handover = handover_of(ref, name, claim, size);
  const char *stage;
  pid_t pid = fork_run(&handover, bytes, spec, &stage);
  int error = errno;
  if (pid >= 0) {
    watch_add_own(ref, pid, name, spec->grace_ms);
    return 0;
  }
  if (unlinkat(serve.claims, name, 0) != 0) {
    /* The claim could not be removed. A second try would get `already`, so serve makes none. */
    tell_unknown(ref);
    return 0;
  }
  if (strcmp(stage, "fork") == 0 && is_shortage(error) && (watch_any() || held_any_prepared())) return error;
  tell_refused(ref, stage, error, "");
  return 0;
}

static void put_off(uint32_t ref, const char *name, const char *bytes, size_t size) {
  struct delayed *start = memory_grow(NULL, 0, sizeof *start + size);
  if (start == NULL) {
    tell_refused(ref, "fork", ENOMEM, "");
    return;
  }
  start->next = NULL;
  start->ref = ref;
  start->until = now_ms() + TRIES_MS;
  start->size = size;
  memcpy(start->claim, name, strlen(name) + 1);
  memcpy(start->spec, bytes, size);
  struct delayed **last = &delayed;
  while (*last != NULL) last = &(*last)->next;
  *last = start;
  if (retry_at == 0) retry_at = now_ms() + RETRY_MS;
}

static void start_good(uint32_t ref, const char *claim, const char *bytes, size_t size, const struct spec *spec) {
  /* Those who wait already come first. */
  if (delayed != NULL || attempt(ref, claim, bytes, size, spec) != 0) put_off(ref, claim, bytes, size);
}

void start_now(uint32_t ref, const char *claim, const char *bytes, size_t size) {
  struct spec spec;
  spec_parse(bytes, size, &spec, NULL, NULL); /* it was good when it came */
  start_good(ref, claim, bytes, size, &spec);
}

void start_run(uint32_t ref, const char *claim, const char *bytes, size_t size) {
  struct spec spec;
  if (!claim_name_is_good(claim)) {
    tell_refused(ref, "claim", EINVAL, claim);
    return;
  }
  const char *wrong = spec_parse(bytes, size, &spec, NULL, NULL);
  if (wrong == NULL && spec.by_caller) wrong = "end";
  if (wrong != NULL) {
    tell_refused(ref, "spec", EINVAL, wrong);
    return;
  }
  if (!spec.has_first || boot_ns() >= spec.first_ns) start_good(ref, claim, bytes, size, &spec);
  else if (!held_add(ref, claim, spec.first_ns, bytes, size)) tell_refused(ref, "setup", ENOMEM, "");
}

/* --- prepared runs --- */

enum { HIDDEN_MAX = 24 };
static const char hidden_prefix[] = ".held-";

static const char *hidden_name(char *room, uint32_t ref) {
  struct text text = {room, 0, HIDDEN_MAX, false};
  text_string(&text, hidden_prefix);
  text_number(&text, ref);
  text_end(&text);
  return room;
}

static void remove_hidden(void *context, const char *name) {
  (void)context;
  if (strncmp(name, hidden_prefix, sizeof hidden_prefix - 1) == 0) unlinkat(serve.claims, name, 0);
}

void start_clean(void) {
  directory_names(serve.claims, remove_hidden, NULL);
  if (serve.cgroup >= 0) directory_names(serve.cgroup, remove_cgroup, NULL);
}

pid_t start_prepare(uint32_t ref, const char *name, const char *bytes, size_t size) {
  struct spec spec;
  spec_parse(bytes, size, &spec, NULL, NULL); /* it was good when it came */
  char room[HIDDEN_MAX];
  const char *hidden = hidden_name(room, ref), *stage;
  struct claim_facts facts = facts_of(&spec);
  int claim = claim_make(serve.claims, hidden, &facts);
  if (claim < 0) return 0;
  struct handover handover = handover_of(ref, name, claim, size);
  handover.is_prepared = true;
  handover.serve = getpid();
  pid_t pid = fork_run(&handover, bytes, &spec, &stage);
  if (pid < 0) unlinkat(serve.claims, hidden, 0);
  return pid < 0 ? 0 : pid;
}

void start_discard(uint32_t ref, pid_t run, const char *bytes, size_t size) {
  if (run > 0) kill(run, SIGKILL); /* not reaped yet: the number is still its own */
  struct spec spec;
  spec_parse(bytes, size, &spec, NULL, NULL);
  char room[HIDDEN_MAX];
  unlinkat(serve.claims, hidden_name(room, ref), 0);
  remove_group(&spec); /* the child enters it when its time has come */
}

void start_prepared(uint32_t ref, pid_t run, const char *name, const char *bytes, size_t size) {
  char room[HIDDEN_MAX];
  if (!claim_name(serve.claims, hidden_name(room, ref), name, serve.sync)) {
    int error = errno;
    start_discard(ref, run, bytes, size);
    if (error == EEXIST) tell_unclaimed(ref, name, error);
    else start_now(ref, name, bytes, size); /* as if it had not been prepared */
    return;
  }
  struct spec spec;
  spec_parse(bytes, size, &spec, NULL, NULL);
  if (process_tell_go(run)) {
    watch_add_prepared(ref, run, name, bytes, size, spec.grace_ms);
    return;
  }
  start_discard(ref, run, bytes, size); /* no room in the queue of realtime signals: it starts as if it had not been prepared */
  if (unlinkat(serve.claims, name, 0) == 0) start_good(ref, name, bytes, size, &spec);
  else tell_unknown(ref);
}

bool start_cancel(uint32_t ref) {
  for (struct delayed **at = &delayed; *at != NULL; at = &(*at)->next) {
    struct delayed *start = *at;
    if (start->ref != ref) continue;
    *at = start->next;
    memory_free(start, sizeof *start + start->size);
    tell_refused(ref, "killed", 0, "");
    return true;
  }
  return false;
}

/* Tries the delayed starts in their order until one fails again. */
void start_retry(int64_t now, bool at_once) {
  if (delayed == NULL || (now < retry_at && !at_once)) return;
  while (delayed != NULL) {
    struct delayed *start = delayed;
    struct spec spec;
    spec_parse(start->spec, start->size, &spec, NULL, NULL); /* it was good before */
    bool late = now >= start->until || (spec.has_last && boot_ns() > spec.last_ns);
    int error = attempt(start->ref, start->claim, start->spec, start->size, &spec);
    if (error != 0 && !late) break;
    if (error != 0) tell_refused(start->ref, "fork", error, "");
    delayed = start->next;
    memory_free(start, sizeof *start + start->size);
  }
  retry_at = delayed == NULL ? 0 : now + RETRY_MS;
}

int64_t start_next(void) { return delayed == NULL ? 0 : retry_at; }
