/* Reads, keeps and passes on the output of one command. See output.h. */
#include "output.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "text.h"

enum { CHUNK = 65536, SMALL = 4096, FIRST_WAIT_MS = 50, LONGEST_WAIT_MS = 1000, LOG_HEADER = 17 };

static void pass_to_file(struct output *output, struct stream *stream, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(stream->file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    bytes += written;
    count -= (size_t)written;
  }
  output->undelivered += count;
}

/* One message: length, ref, stream, dropped before, data. */
static bool log_message(struct output *output, int number, const char *bytes, size_t count) {
  struct stream *stream = &output->streams[number - 1];
  unsigned char message[OUTPUT_MAX];
  put_u32(message, (uint32_t)(LOG_HEADER - 4 + count));
  put_u32(message + 4, output->ref);
  message[8] = (unsigned char)number;
  put_u64(message + 9, stream->unsent);
  if (count > 0) memcpy(message + LOG_HEADER, bytes, count);
  ssize_t written;
  do written = write(output->log, message, LOG_HEADER + count);
  while (written < 0 && errno == EINTR);
  if (written >= 0) {
    stream->unsent = 0;
    return true;
  }
  if (errno == EPIPE) close_fd(&output->log);
  return false;
}

/* When the pipe is full, the rest is dropped at once: run does not try to write each message of a flood. */
static void pass_to_log(struct output *output, int number, const char *bytes, size_t count) {
  while (count > 0) {
    size_t size = count < OUTPUT_MAX - LOG_HEADER ? count : OUTPUT_MAX - LOG_HEADER;
    if (output->log < 0 || !log_message(output, number, bytes, size)) {
      output->undelivered += count;
      output->streams[number - 1].unsent += count;
      return;
    }
    bytes += size;
    count -= size;
  }
}

static void pass_on(struct output *output, int number, const char *bytes, size_t count) {
  struct stream *stream = &output->streams[number - 1];
  stream->printed += count;
  kept_add(&output->kept, number, bytes, count);
  switch (stream->sink) {
    case SINK_FILE: pass_to_file(output, stream, bytes, count); break;
    case SINK_INHERIT: pass_to_log(output, number, bytes, count); break;
    case SINK_SYSLOG:
      output->undelivered += syslog_add(&stream->line, number, output->job, output->command, bytes, count);
      break;
    case SINK_DISCARD: break;
  }
}

/* Reads once, at most `room` bytes. Returns the count; closes the pipe at its end. */
static size_t read_once(struct output *output, int number, size_t room) {
  struct stream *stream = &output->streams[number - 1];
  char chunk[CHUNK]; /* on the stack, which a run gives back */
  ssize_t count = read(stream->pipe, chunk, room < sizeof chunk ? room : sizeof chunk);
  if (count > 0) {
    pass_on(output, number, chunk, (size_t)count);
    return (size_t)count;
  }
  if (count == 0 || (errno != EAGAIN && errno != EINTR)) close_fd(&stream->pipe);
  return 0;
}

bool output_is_open(const struct output *output) {
  return output->streams[0].pipe >= 0 || output->streams[1].pipe >= 0;
}

bool output_read(struct output *output, int64_t now) {
  size_t sum = 0;
  for (int number = 1; number <= 2; number++)
    if (output->streams[number - 1].pipe >= 0) sum += read_once(output, number, CHUNK);
  if (sum == 0 || sum >= SMALL) {
    output->wait_ms = 0;
    output->paused_until = 0;
  } else {
    /* A trickle: let it gather, so that it costs one wake-up a second at most. */
    output->wait_ms = output->wait_ms == 0 ? FIRST_WAIT_MS : output->wait_ms * 2;
    if (output->wait_ms > LONGEST_WAIT_MS) output->wait_ms = LONGEST_WAIT_MS;
    output->paused_until = now + output->wait_ms;
  }
  return output_is_open(output);
}

void output_drain(struct output *output) {
  for (int number = 1; number <= 2; number++) {
    struct stream *stream = &output->streams[number - 1];
    int waiting = 0;
    if (stream->pipe < 0 || ioctl(stream->pipe, FIONREAD, &waiting) != 0) continue;
    while (waiting > 0 && stream->pipe >= 0) {
      size_t count = read_once(output, number, (size_t)waiting);
      if (count == 0) break;
      waiting -= (int)count;
    }
  }
}

void output_flush(struct output *output) {
  for (int number = 1; number <= 2; number++) {
    struct stream *stream = &output->streams[number - 1];
    if (stream->sink == SINK_SYSLOG)
      output->undelivered += syslog_flush(&stream->line, number, output->job, output->command);
    if (stream->unsent > 0 && output->log >= 0) log_message(output, number, NULL, 0);
  }
}
