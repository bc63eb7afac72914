/* Datagrams to /dev/log. See syslog.h. */
#include "syslog.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "text.h"

#ifndef SYSLOG_PATH
#define SYSLOG_PATH "/dev/log"
#endif

enum { FACILITY_USER = 1 << 3, LEVEL_WARNING = 4, LEVEL_INFO = 6 };

static int log_socket = -1;

static bool open_socket(void) {
  if (log_socket >= 0) return true;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, SYSLOG_PATH, sizeof SYSLOG_PATH);
  log_socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (log_socket < 0) return false;
  if (connect(log_socket, (struct sockaddr *)&address, sizeof address) == 0) return true;
  close_fd(&log_socket);
  return false;
}

static bool send_line(int stream, const char *job, pid_t pid, const char *bytes, size_t count) {
  char datagram[SYSLOG_LINE + JOB_MAX + 80];
  struct text text = TEXT_IN(datagram);
  text_char(&text, '<');
  text_number(&text, FACILITY_USER | (stream == 2 ? LEVEL_WARNING : LEVEL_INFO));
  text_char(&text, '>');
  text_string(&text, job);
  text_char(&text, '[');
  text_number(&text, (uint64_t)pid);
  text_string(&text, "]: ");
  text_bytes(&text, bytes, count);
  /* A socket that was there before the log daemon's restart is connected to nobody: open it once more. */
  for (int attempt = 0; attempt < 2; attempt++) {
    if (!open_socket()) return false;
    if (send(log_socket, datagram, text.used, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return true;
    if (errno == EAGAIN || errno == ENOBUFS) return false;
    close_fd(&log_socket);
  }
  return false;
}

uint64_t syslog_flush(struct syslog_line *line, int stream, const char *job, pid_t pid) {
  size_t size = line->used;
  line->used = 0;
  return size == 0 || send_line(stream, job, pid, line->bytes, size) ? 0 : size;
}

uint64_t syslog_add(struct syslog_line *line, int stream, const char *job, pid_t pid, const char *bytes, size_t count) {
  uint64_t lost = 0;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == '\n') {
      lost += syslog_flush(line, stream, job, pid);
      continue;
    }
    if (line->used == SYSLOG_LINE) lost += syslog_flush(line, stream, job, pid);
    line->bytes[line->used++] = bytes[i] == 0 ? ' ' : bytes[i]; /* a NUL would end the line for many readers */
  }
  return lost;
}
