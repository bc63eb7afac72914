/* Messages from run to its parent through the status pipe. One write each, at most 512 bytes: never torn. */
#ifndef KRON_STATUS_H
#define KRON_STATUS_H

#include "text.h"

/* A message under way; `text` takes the fields. */
struct message {
  char bytes[STATUS_MAX];
  struct text text;
};

void message_begin(struct message *message, uint32_t ref, const char *kind);

enum sent { SENT, SENT_LATER, SENT_NEVER };

/* Tries to send: SENT_LATER if the pipe is full, SENT_NEVER if nobody reads it any more. */
enum sent message_send(struct message *message, int fd);

/* Sends, and waits while the pipe is full. False if nobody reads. */
bool message_send_wait(struct message *message, int fd);

/* True if nobody reads the pipe any more. */
bool pipe_is_broken(int fd);

#endif
