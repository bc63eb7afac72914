/*
 * The control socket: any local user may connect and send one line; krond decides, by the peer's uid, what the line may
 * do. Numbers and sizes are bounded, so that no user can shut out the others.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "memory.h"
#include "serve.h"

enum {
  CONNECTIONS = 64,
  FOR_ORDINARY_USERS = 56, /* the rest is for root and the daemon's own user */
  PER_USER = 8,
  LINE_MAX_BYTES = 65536,
  LINE_FIRST_ROOM = 4096,
  LINE_WAIT_MS = 5000,
  ANSWER_MAX = 4194304,
  LISTEN_AGAIN_MS = 10000,
  ACCEPTED_AT_ONCE = 32, /* then krond's frames come first again, however fast others connect */
};

struct connection {
  int fd; /* -1: free */
  uint64_t id;
  uid_t uid;
  pid_t pid;
  bool asked;      /* the line was passed on */
  bool last;       /* krond's last answer is in the buffer */
  int64_t close_at; /* no whole line by then: closed */
  char *line;
  size_t line_used, line_room;
  char *answer;
  size_t answer_first, answer_used, answer_room;
};

static struct connection *connections; /* CONNECTIONS of them, once it was tried to listen */
static int listener = -1;
static const char *socket_path;
static struct stat socket_file;
static uint64_t next_id = 1;
static int64_t listen_at;

static void drop(struct connection *connection, bool tell) {
  if (tell && connection->asked) {
    link_begin("hangup");
    link_number(connection->id);
    link_end();
  }
  close_fd(&connection->fd);
  memory_free(connection->line, connection->line_room);
  memory_free(connection->answer, connection->answer_room);
  memset(connection, 0, sizeof *connection);
  connection->fd = -1;
}

/* Binds under a temporary name, then renames: at no moment is there a socket nobody listens to, or with a wrong mode. */
static bool try_listen(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct text text = TEXT_IN(address.sun_path);
  text_string(&text, socket_path);
  text_string(&text, ".new");
  if (!text_end(&text)) return false;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  unlink(address.sun_path);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) {
    if (listen(fd, CONNECTIONS) == 0 && chmod(address.sun_path, 0666) == 0 &&
        stat(address.sun_path, &socket_file) == 0 && rename(address.sun_path, socket_path) == 0 &&
        serve_listen(fd, EPOLLIN, ON_CONTROL, 0)) {
      listener = fd;
      return true;
    }
    unlink(address.sun_path);
  }
  close(fd);
  return false;
}

void control_open(const char *path) {
  if (connections == NULL) {
    connections = memory_grow(NULL, 0, CONNECTIONS * sizeof *connections);
    if (connections == NULL) serve_die("out of memory", 1);
    memset(connections, 0, CONNECTIONS * sizeof *connections);
    for (size_t i = 0; i < CONNECTIONS; i++) connections[i].fd = -1;
  }
  socket_path = path;
  listen_at = 0;
  if (try_listen()) return;
  static const char warning[] = "kron-shim serve: cannot listen on the control socket; trying again every 10 s\n";
  static bool warned = false;
  if (!warned) (void)!write(2, warning, sizeof warning - 1);
  warned = true;
  listen_at = now_ms() + LISTEN_AGAIN_MS;
}

void control_close(void) {
  struct stat now;
  /* Only our own: a successor may have put its socket there. */
  if (listener >= 0 && stat(socket_path, &now) == 0 && now.st_ino == socket_file.st_ino &&
      now.st_dev == socket_file.st_dev)
    unlink(socket_path);
}

/* A place for a connection of this user, or NULL if there is none. */
static struct connection *place_for(uid_t uid) {
  bool ordinary = uid != 0 && uid != geteuid();
  size_t of_user = 0, of_ordinary = 0;
  struct connection *free_place = NULL;
  for (size_t i = 0; i < CONNECTIONS; i++) {
    struct connection *connection = &connections[i];
    if (connection->fd < 0) {
      if (free_place == NULL) free_place = connection;
      continue;
    }
    if (connection->uid == uid) of_user++;
    if (connection->uid != 0 && connection->uid != geteuid()) of_ordinary++;
  }
  if (ordinary && (of_user >= PER_USER || of_ordinary >= FOR_ORDINARY_USERS)) return NULL;
  return free_place;
}

void control_accept(void) {
  for (int count = 0; count < ACCEPTED_AT_ONCE; count++) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    struct ucred peer;
    socklen_t size = sizeof peer;
    struct connection *connection = NULL;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) connection = place_for(peer.uid);
    if (connection == NULL || !serve_listen(fd, EPOLLIN, ON_CONNECTION, (uint32_t)next_id)) {
      close(fd);
      continue;
    }
    memset(connection, 0, sizeof *connection);
    connection->fd = fd;
    connection->id = next_id++;
    connection->uid = peer.uid;
    connection->pid = peer.pid;
    connection->close_at = now_ms() + LINE_WAIT_MS;
  }
}

static void pass_on(struct connection *connection, size_t length) {
  connection->asked = true;
  connection->close_at = 0;
  serve_change(connection->fd, 0, ON_CONNECTION, (uint32_t)connection->id); /* hang-ups come always */
  link_begin("request");
  link_number(connection->id);
  link_number(connection->uid);
  link_number((uint64_t)connection->pid);
  link_bytes(connection->line, length);
  link_bytes("", 1);
  link_end();
  memory_free(connection->line, connection->line_room);
  connection->line = NULL;
  connection->line_room = 0;
}

/* Reads until the line is whole. False: the connection breaks the rules or has ended. */
static bool read_line(struct connection *connection) {
  for (;;) {
    if (connection->line_used == connection->line_room) {
      size_t room = connection->line_room == 0 ? LINE_FIRST_ROOM : connection->line_room * 2;
      if (room > 2 * LINE_MAX_BYTES) return false;
      char *line = memory_grow(connection->line, connection->line_room, room);
      if (line == NULL) return false;
      connection->line = line;
      connection->line_room = room;
    }
    char *at = connection->line + connection->line_used;
    ssize_t size = recv(connection->fd, at, connection->line_room - connection->line_used, MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    connection->line_used += (size_t)size;
    const char *end = memchr(at, '\n', (size_t)size);
    size_t length = end == NULL ? connection->line_used : (size_t)(end - connection->line);
    if (length > LINE_MAX_BYTES) return false;
    if (end == NULL) continue;
    if (memchr(connection->line, 0, length) != NULL) return false;
    pass_on(connection, length);
    return true;
  }
}

/* Writes what the peer takes now. False: the connection is over. */
static bool write_answer(struct connection *connection) {
  while (connection->answer_first < connection->answer_used) {
    ssize_t size = send(connection->fd, connection->answer + connection->answer_first,
                        connection->answer_used - connection->answer_first, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) {
      if (errno != EAGAIN) return false;
      serve_change(connection->fd, EPOLLOUT, ON_CONNECTION, (uint32_t)connection->id);
      return true;
    }
    connection->answer_first += (size_t)size;
  }
  connection->answer_first = connection->answer_used = 0;
  serve_change(connection->fd, 0, ON_CONNECTION, (uint32_t)connection->id);
  if (!connection->last) return true;
  drop(connection, false);
  return true;
}

/* By its number, not by its place: an event may be older than the connection that has the place now. */
static struct connection *find(uint32_t number) {
  for (size_t i = 0; i < CONNECTIONS; i++)
    if (connections[i].fd >= 0 && (uint32_t)connections[i].id == number) return &connections[i];
  return NULL;
}

void control_event(uint32_t number, uint32_t events) {
  struct connection *connection = find(number);
  if (connection == NULL) return;
  bool good = true;
  if (!connection->asked) good = read_line(connection);
  if (good && connection->fd >= 0 && (events & EPOLLOUT) != 0) good = write_answer(connection);
  if (connection->fd < 0) return;
  if (!good || (events & (EPOLLHUP | EPOLLERR)) != 0) drop(connection, true);
}

void control_answer(uint64_t id, bool last, const char *text) {
  struct connection *connection = NULL;
  for (size_t i = 0; connections != NULL && i < CONNECTIONS; i++)
    if (connections[i].fd >= 0 && connections[i].id == id) connection = &connections[i];
  if (connection == NULL || !connection->asked || connection->last) return; /* it has gone, krond was told */
  size_t length = strlen(text), waiting = connection->answer_used - connection->answer_first;
  if (waiting + length > ANSWER_MAX) {
    drop(connection, true);
    return;
  }
  if (connection->answer_first > 0) {
    memmove(connection->answer, connection->answer + connection->answer_first, waiting);
    connection->answer_first = 0;
    connection->answer_used = waiting;
  }
  if (waiting + length > connection->answer_room) {
    char *answer = memory_grow(connection->answer, connection->answer_room, waiting + length);
    if (answer == NULL) {
      drop(connection, true);
      return;
    }
    connection->answer = answer;
    connection->answer_room = waiting + length;
  }
  if (length > 0) memcpy(connection->answer + waiting, text, length);
  connection->answer_used = waiting + length;
  connection->last = last;
  if (!write_answer(connection)) drop(connection, true);
}

void control_tick(int64_t now) {
  if (listen_at != 0 && now >= listen_at) control_open(socket_path);
  if (connections == NULL) return;
  for (size_t i = 0; i < CONNECTIONS; i++)
    if (connections[i].fd >= 0 && connections[i].close_at != 0 && now >= connections[i].close_at)
      drop(&connections[i], false);
}

int64_t control_next(void) {
  int64_t next = listen_at;
  if (connections == NULL) return next;
  for (size_t i = 0; i < CONNECTIONS; i++) {
    int64_t at = connections[i].fd < 0 ? 0 : connections[i].close_at;
    if (at != 0 && (next == 0 || at < next)) next = at;
  }
  return next;
}
