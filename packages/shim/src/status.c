/* The status pipe, seen from run. See status.h. */
#include "status.h"

#include <poll.h>

void message_begin(struct message *message, uint32_t ref, const char *kind) {
  put_u32((unsigned char *)message->bytes + 4, ref);
  /* One byte stays free: a detail that is cut still gets its NUL. */
  message->text = (struct text){message->bytes, 8, sizeof message->bytes - 1, false};
  text_field(&message->text, kind);
}

enum sent message_send(struct message *message, int fd) {
  size_t size = message->text.used;
  if (message->bytes[size - 1] != 0) message->bytes[size++] = 0;
  put_u32((unsigned char *)message->bytes, (uint32_t)size - 4);
  for (;;) {
    ssize_t written = write(fd, message->bytes, size);
    if (written >= 0) return SENT;
    if (errno == EAGAIN) return SENT_LATER;
    if (errno != EINTR) return SENT_NEVER;
  }
}

bool message_send_wait(struct message *message, int fd) {
  for (;;) {
    enum sent sent = message_send(message, fd);
    if (sent != SENT_LATER) return sent == SENT;
    struct pollfd wait = {fd, POLLOUT, 0};
    poll(&wait, 1, -1);
  }
}

bool pipe_is_broken(int fd) {
  struct pollfd look = {fd, 0, 0};
  return poll(&look, 1, 0) == 1 && (look.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}
