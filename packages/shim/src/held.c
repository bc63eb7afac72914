/*
 * Starts that serve holds until their time. It forks their runs meanwhile, so that at the second itself nothing is left to
 * do but the name of the claim and the exec. A held start has no claim with a name yet: if serve or krond dies, it
 * certainly never ran. See serve.h.
 */
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "memory.h"
#include "serve.h"

enum { AT_ONCE = 32, FIRST_ROOM = 65536, LARGE_ROOM = 16 * FIRST_ROOM };
/* A prepared run and its child are two processes. The runs of further starts are forked at their second. */
enum { PREPARED_MAX = 1024, PREPARED_AT_ONCE = 8 };

struct held {
  uint64_t first_ns; /* CLOCK_BOOTTIME; 0: started or taken back */
  uint32_t ref;
  uint32_t size; /* of the spec */
  pid_t run;     /* prepared; 0: none */
  char claim[CLAIM_NAME_MAX + 1];
  char spec[];
};

/* One block for all, which no run inherits: many small ones would make every fork slower. */
static char *block;
static size_t used, room;
static size_t count;
static size_t prepared;     /* living runs */
static size_t next_to_prepare; /* offset; everything before it was tried */
static size_t first_live; /* offset; everything before it was started or taken back */
static uint64_t armed_ns;   /* what the timer is set to, or 0 */
static int timer, clock_set; /* timerfds */

static size_t record_size(size_t spec_size) { return (sizeof(struct held) + spec_size + 7) & ~(size_t)7; }

static struct held *held_at(size_t offset) { return (struct held *)(void *)(block + offset); }

static int make_timer(int clock) {
  int fd = timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK);
  if (fd < 0 || !serve_listen(fd, EPOLLIN, ON_TIMER, 0)) serve_die("cannot make a timer", 2);
  return fd;
}

/*
 * The second timer never fires. The kernel cancels it when somebody sets the wall clock or the machine wakes up: that is
 * how serve, which reads no wall clock, learns that the times it was given may be wrong.
 */
void held_open(void) {
  timer = make_timer(CLOCK_BOOTTIME);
  clock_set = make_timer(CLOCK_REALTIME);
  struct itimerspec never = {{0, 0}, {INT64_MAX / 2000000000, 0}};
  timerfd_settime(clock_set, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

static void arm(uint64_t at_ns) {
  struct itimerspec at = {{0, 0}, {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL); /* this also clears an expiration that nobody has read */
  armed_ns = at_ns;
}

/* Moves the live starts to the beginning of the block, if at least half of it is behind them. */
static void compact(void) {
  if (first_live < used - first_live) return;
  used -= first_live;
  memmove(block, block + first_live, used);
  next_to_prepare = next_to_prepare < first_live ? 0 : next_to_prepare - first_live;
  first_live = 0;
}

bool held_add(uint32_t ref, const char *claim, uint64_t first_ns, const char *spec, size_t size) {
  if (first_live > 0) compact();
  size_t needed = used + record_size(size);
  if (needed > room) {
    size_t larger = room == 0 ? FIRST_ROOM : room;
    while (larger < needed) larger *= 2;
    char *bigger = memory_grow(block, room, larger);
    if (bigger == NULL) return false;
    block = bigger;
    room = larger;
  }
  struct held *held = held_at(used);
  used = needed;
  count++;
  held->first_ns = first_ns;
  held->ref = ref;
  held->size = (uint32_t)size;
  held->run = 0;
  memcpy(held->claim, claim, strlen(claim) + 1); /* a good name: it fits */
  memcpy(held->spec, spec, size);
  if (armed_ns == 0 || first_ns < armed_ns) arm(first_ns);
  return true;
}

static void forget(struct held *held) {
  held->first_ns = 0;
  if (held->run != 0) prepared--;
  held->run = 0;
  if (--count == 0) used = first_live = next_to_prepare = 0;
}

static void take_back(struct held *held) {
  if (held->run != 0) start_discard(held->ref, held->run, held->spec, held->size);
  tell_refused(held->ref, "held", 0, "");
  forget(held);
}

bool held_wants_more(void) { return next_to_prepare < used && prepared < PREPARED_MAX; }

void held_prepare(void) {
  for (int left = PREPARED_AT_ONCE; left > 0 && held_wants_more() && !held_is_due(); left--) {
    struct held *held = held_at(next_to_prepare);
    next_to_prepare += record_size(held->size);
    if (held->first_ns == 0) continue;
    held->run = start_prepare(held->ref, held->claim, held->spec, held->size);
    if (held->run != 0) prepared++;
  }
}

bool held_any_prepared(void) { return prepared > 0; }

void held_dead(pid_t run) {
  for (size_t at = first_live; at < used; at += record_size(held_at(at)->size)) {
    struct held *held = held_at(at);
    if (held->run != run) continue;
    start_discard(held->ref, 0, held->spec, held->size);
    held->run = 0;
    prepared--;
    return;
  }
}

bool held_cancel(uint32_t ref) {
  for (size_t at = first_live; at < used; at += record_size(held_at(at)->size)) {
    struct held *held = held_at(at);
    if (held->first_ns == 0 || held->ref != ref) continue;
    take_back(held);
    return true;
  }
  return false;
}

/* krond judges them again, by the clock as it is now. */
static void cancel_all(void) {
  size_t end = used;
  for (size_t at = 0; at < end && count > 0; at += record_size(held_at(at)->size)) {
    struct held *held = held_at(at);
    if (held->first_ns != 0) take_back(held);
  }
}

bool held_is_due(void) { return count > 0 && armed_ns != 0 && armed_ns <= boot_ns(); }

static bool clock_was_set(void) {
  uint64_t expirations;
  return read(clock_set, &expirations, sizeof expirations) < 0 && errno == ECANCELED;
}

/* After a large burst the memory is not needed any more. */
static void give_back(void) {
  if (room <= LARGE_ROOM) return;
  memory_free(block, room);
  block = NULL;
  room = 0;
}

/* Starts the held runs whose time has come, a few at a time: the loop looks after everything else in between. */
void held_tick(void) {
  bool was_set = clock_was_set();
  if (count == 0) {
    if (armed_ns != 0) arm(0);
    give_back();
    return;
  }
  if (was_set) cancel_all();
  uint64_t now_ns = boot_ns(), next_ns = 0;
  int left = AT_ONCE;
  size_t end = used;
  while (first_live < end && held_at(first_live)->first_ns == 0) first_live += record_size(held_at(first_live)->size);
  for (size_t at = first_live; at < end && count > 0; at += record_size(held_at(at)->size)) {
    struct held *held = held_at(at);
    if (held->first_ns == 0) continue;
    if (held->first_ns <= now_ns && left > 0) {
      left--;
      if (held->run != 0) start_prepared(held->ref, held->run, held->claim, held->spec, held->size);
      else start_now(held->ref, held->claim, held->spec, held->size);
      forget(held);
    } else if (next_ns == 0 || held->first_ns < next_ns) {
      next_ns = held->first_ns;
    }
  }
  if (next_ns != armed_ns || (armed_ns != 0 && armed_ns <= now_ns)) arm(next_ns);
}
