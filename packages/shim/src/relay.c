/* Reads the two pipes that all runs share, and passes their messages on to krond. See serve.h. */
#include "memory.h"
#include "serve.h"

/* OUTPUT_A_SECOND: of all runs together. krond logs half of it at most; the rest would only cost it the time for starts. */
enum { RELAY_ROOM = 65536, SECOND_MS = 1000, OUTPUT_A_SECOND = 524288 };

struct relay {
  unsigned char bytes[RELAY_ROOM];
  size_t used;
};

static struct relay *status, *output;

/* The present second, and the output that was read in it. */
static int64_t second_began;
static size_t second_bytes;

void relay_open(void) {
  status = memory_grow(NULL, 0, sizeof *status);
  output = memory_grow(NULL, 0, sizeof *output);
  if (status == NULL || output == NULL) serve_die("out of memory", 1);
  status->used = output->used = 0;
}

static void pass_status(uint32_t ref, const char *fields, size_t size) {
  if (fields[size - 1] != 0) serve_die("bad message from a run", 2);
  struct fields rest = {fields, fields + size};
  const char *kind = field_next(&rest); /* size is at least 1 */
  struct fields after = rest;
  if (strcmp(kind, "started") == 0) {
    uint64_t pid, start;
    if (!field_number(&rest, 1, INT32_MAX, &pid) || !field_number(&rest, 0, UINT64_MAX, &start))
      serve_die("bad message from a run", 2);
    watch_started(ref, (pid_t)pid, start);
  } else if (strcmp(kind, "ended") == 0) {
    relay_output(); /* so that the last words of a command come before its end, if krond reads them */
    watch_done(ref, true);
  } else {
    watch_done(ref, false);
  }
  link_begin(kind);
  link_number(ref);
  link_bytes(after.at, (size_t)(after.end - after.at));
  link_end();
}

static void pass_output(uint32_t ref, const unsigned char *message, size_t size) {
  if (size < 9) serve_die("bad message from a run", 2);
  link_begin("output");
  link_number(ref);
  link_field(message[0] == 2 ? "err" : "out");
  link_number(get_u64(message + 1));
  link_bytes(message + 9, size - 9);
  link_end();
}

/* Reads once and hands on every whole message. False: the pipe is empty. */
static bool relay_read(struct relay *relay, int fd, size_t longest) {
  ssize_t count = read(fd, relay->bytes + relay->used, sizeof relay->bytes - relay->used);
  if (count <= 0) return count < 0 && errno == EINTR;
  relay->used += (size_t)count;
  if (relay == output) second_bytes += (size_t)count;
  size_t at = 0;
  while (relay->used - at >= 4) {
    size_t size = get_u32(relay->bytes + at);
    if (size < 5 || size + 4 > longest) serve_die("bad message from a run", 2);
    if (relay->used - at - 4 < size) break;
    uint32_t ref = get_u32(relay->bytes + at + 4);
    if (relay == status) pass_status(ref, (const char *)relay->bytes + at + 8, size - 4);
    else pass_output(ref, relay->bytes + at + 8, size - 4);
    at += 4 + size;
  }
  memmove(relay->bytes, relay->bytes + at, relay->used - at);
  relay->used -= at;
  return true;
}

void relay_status(void) {
  while (relay_read(status, serve.status, STATUS_MAX)) continue;
}

bool relay_has_room(int64_t now) {
  if (now - second_began >= SECOND_MS) {
    second_began = now;
    second_bytes = 0;
  }
  return second_bytes < OUTPUT_A_SECOND && link_waiting() < LINK_BACKLOG;
}

int64_t relay_next(void) { return second_bytes < OUTPUT_A_SECOND ? 0 : second_began + SECOND_MS; }

void relay_output(void) {
  while (relay_has_room(now_ms()) && relay_read(output, serve.output, OUTPUT_MAX)) continue;
}
