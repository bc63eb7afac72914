/* Tells the service manager how the daemon is (sd_notify): one datagram to the socket that NOTIFY_SOCKET names. */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "serve.h"

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
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  ssize_t sent;
  do sent = sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address, size);
  while (sent < 0 && errno == EINTR);
  close(fd);
}
