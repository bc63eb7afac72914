/*
 * Tells the service manager how the daemon is (sd_notify): one datagram to the socket that NOTIFY_SOCKET names. root may
 * send it in krond's name, so that the manager need not listen to every process of the service, jobs among them
 * (NotifyAccess=main). Other users send it in their own (NotifyAccess=all).
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "serve.h"

static int send_one(int fd, const struct msghdr *message) {
  ssize_t sent;
  do sent = sendmsg(fd, message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

void notify_send(const char *text) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || (path[0] != '/' && path[0] != '@')) return;
  size_t length = strlen(path);
  if (length >= sizeof address.sun_path) return;
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = 0; /* a name without a file */
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  struct iovec part = {(void *)(uintptr_t)text, strlen(text)};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_name = &address, .msg_iov = &part, .msg_iovlen = 1};
  message.msg_namelen = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  message.msg_control = &control;
  message.msg_controllen = sizeof control.room;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_CREDENTIALS;
  header->cmsg_len = CMSG_LEN(sizeof(struct ucred));
  const struct ucred krond = {getppid(), getuid(), getgid()};
  memcpy(CMSG_DATA(header), &krond, sizeof krond);
  if (send_one(fd, &message) != 0 && errno == EPERM) {
    message.msg_control = NULL;
    message.msg_controllen = 0;
    send_one(fd, &message);
  }
  close(fd);
}
