/* Buffers of the stream to krond. See link.h. */
#include "link.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "memory.h"
#include "serve.h"

enum { READ_ROOM = 65536, FRAMES_AT_ONCE = 1024 };

struct buffer {
  unsigned char *bytes;
  size_t first, used, room; /* the content is bytes[first] to bytes[used] */
};

static int link_fd;
static struct buffer in, out;
static size_t frame_start;

/* Makes room for `more` bytes behind the content. */
static void buffer_room(struct buffer *buffer, size_t more) {
  if (buffer->first > 0 && buffer->first == buffer->used) buffer->first = buffer->used = 0;
  if (buffer->room - buffer->used >= more) return;
  if (buffer->first > 0) {
    memmove(buffer->bytes, buffer->bytes + buffer->first, buffer->used - buffer->first);
    buffer->used -= buffer->first;
    if (buffer == &out) frame_start -= buffer->first;
    buffer->first = 0;
    if (buffer->room - buffer->used >= more) return;
  }
  size_t room = buffer->room == 0 ? READ_ROOM : buffer->room * 2;
  while (room - buffer->used < more) room *= 2;
  unsigned char *bytes = memory_grow(buffer->bytes, buffer->room, room);
  if (bytes == NULL) serve_die("out of memory", 1);
  buffer->bytes = bytes;
  buffer->room = room;
}

/* Gives back the memory of a large frame or backlog. */
static void buffer_shrink(struct buffer *buffer) {
  if (buffer->first != buffer->used) return;
  buffer->first = buffer->used = 0;
  if (buffer->room <= 4 * READ_ROOM) return;
  memory_free(buffer->bytes, buffer->room);
  buffer->bytes = NULL;
  buffer->room = 0;
}

void link_open(int fd) {
  link_fd = fd;
  fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
}

bool link_read(void (*handle)(const char *body, size_t size)) {
  for (int handled = 0; handled < FRAMES_AT_ONCE;) {
    buffer_room(&in, READ_ROOM);
    ssize_t count = recv(link_fd, in.bytes + in.used, in.room - in.used, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    in.used += (size_t)count;
    const char *body;
    size_t size;
    enum frame frame;
    while ((frame = frame_find(in.bytes + in.first, in.used - in.first, &body, &size)) == FRAME_GOOD) {
      in.first += 4 + size;
      handled++;
      handle(body, size);
    }
    if (frame == FRAME_BAD) serve_die("bad frame", 2);
    buffer_shrink(&in);
  }
  return true; /* the rest waits until the runs have been heard */
}

void link_begin(const char *kind) {
  static const unsigned char unknown[4] = {0};
  frame_start = out.used;
  link_bytes(unknown, sizeof unknown);
  link_field(kind);
}

void link_bytes(const void *bytes, size_t count) {
  buffer_room(&out, count);
  memcpy(out.bytes + out.used, bytes, count);
  out.used += count;
}

void link_field(const char *string) { link_bytes(string, strlen(string) + 1); }

void link_number(uint64_t number) {
  char digits[24];
  struct text text = TEXT_IN(digits);
  text_number_field(&text, number);
  link_bytes(digits, text.used);
}

void link_end(void) { put_u32(out.bytes + frame_start, (uint32_t)(out.used - frame_start - 4)); }

bool link_flush(void) {
  while (out.first < out.used) {
    ssize_t count = send(link_fd, out.bytes + out.first, out.used - out.first, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    out.first += (size_t)count;
  }
  buffer_shrink(&out);
  return true;
}

size_t link_waiting(void) { return out.used - out.first; }
