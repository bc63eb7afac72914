/* Creates, writes and reads claims. See claim.h. */
#include "claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

bool claim_name_is_good(const char *name) {
  size_t length =
    strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
  return length > 0 && length <= CLAIM_NAME_MAX && name[length] == 0 && name[0] != '.';
}

void claim_seal(struct text *text) {
  uint32_t crc = crc32_of(text->data, text->used);
  text_string(text, "crc ");
  text_hex32(text, crc);
  text_char(text, '\n');
}

static bool write_at(int fd, size_t offset, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = pwrite(fd, bytes, count, (off_t)offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    offset += (size_t)written;
    count -= (size_t)written;
  }
  return true;
}

bool claim_write(int fd, size_t offset, const struct text *text) {
  char part[PART_SIZE];
  if (text->full || text->used > sizeof part) {
    errno = EOVERFLOW;
    return false;
  }
  memset(part, 0, sizeof part);
  if (text->used > 0) memcpy(part, text->data, text->used);
  return write_at(fd, offset, part, sizeof part);
}

/* Gives the file its size, all NUL. The room is reserved now, so that a full disk cannot hinder the end record. */
static bool reserve(int fd) {
  int error = posix_fallocate(fd, 0, CLAIM_SIZE);
  if (error == 0) return true;
  errno = error;
  if (error != EOPNOTSUPP && error != ENOSYS && error != EINVAL) return false;
  const struct text nothing = {NULL, 0, 0, false};
  for (size_t offset = 0; offset < CLAIM_SIZE; offset += PART_SIZE)
    if (!claim_write(fd, offset, &nothing)) return false;
  return true;
}

static bool fill(int fd, const struct claim_facts *facts) {
  char bytes[PART_SIZE];
  struct text text = TEXT_IN(bytes);
  text_string(&text, "kron-claim 1\nexecution ");
  text_string(&text, facts->execution);
  text_string(&text, "\nboot ");
  text_string(&text, facts->boot);
  text_string(&text, "\nkeep ");
  text_number(&text, facts->keep);
  text_char(&text, '\n');
  claim_seal(&text);
  if (!reserve(fd) || !claim_write(fd, PART_1, &text)) return false;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) return false;
  return !facts->sync || fsync(fd) == 0;
}

int claim_make(int directory, const char *hidden, const struct claim_facts *facts) {
  unlinkat(directory, hidden, 0); /* left by a serve that was killed here */
  int fd = openat(directory, hidden, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0 && fill(fd, facts)) return fd;
  int error = errno == EEXIST ? EIO : errno; /* EEXIST is for a claim that has a name */
  if (fd >= 0) {
    close(fd);
    unlinkat(directory, hidden, 0);
  }
  errno = error;
  return -1;
}

bool claim_name(int directory, const char *hidden, const char *name, bool sync) {
  bool is_named = linkat(directory, hidden, directory, name, 0) == 0;
  int error = errno;
  unlinkat(directory, hidden, 0);
  if (is_named && (!sync || fsync(directory) == 0)) return true;
  if (is_named) {
    error = errno == EEXIST ? EIO : errno;
    unlinkat(directory, name, 0);
  }
  errno = error;
  return false;
}

/*
 * serve names a claim only when the file is whole and locked. If serve dies earlier, no claim has the name. If it dies
 * between the name and the fork, or the order to a prepared run, nobody holds the claim, it has no part 2, and no command
 * was executed. Only one serve at a time uses a directory.
 */
int claim_create(int directory, const char *name, const struct claim_facts *facts) {
  static const char hidden[] = ".new";
  int fd = claim_make(directory, hidden, facts);
  if (fd < 0 || claim_name(directory, hidden, name, facts->sync)) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

bool claim_is_named(int claim, int directory, const char *name) {
  struct stat open_file, named_file;
  return fstat(claim, &open_file) == 0 && fstatat(directory, name, &named_file, AT_SYMLINK_NOFOLLOW) == 0 &&
         open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

static void line_number(struct text *text, const char *key, uint64_t number, char after) {
  text_string(text, key);
  text_number(text, number);
  text_char(text, after);
}

void end_lines(struct text *text, const struct end *end, char after) {
  line_number(text, end->by_signal ? "signal " : "exit ", (uint64_t)end->code, after);
  line_number(text, "started ", end->started_ns, after);
  line_number(text, "ended ", end->ended_ns, after);
  line_number(text, "user ", end->user_us, after);
  line_number(text, "system ", end->system_us, after);
  line_number(text, "memory ", end->memory_kib, after);
  line_number(text, "out ", end->out, after);
  line_number(text, "err ", end->err, after);
  line_number(text, "dropped ", end->dropped, after);
  line_number(text, "undelivered ", end->undelivered, after);
  text_string(text, "why ");
  text_string(text, why_text(end->why));
  text_char(text, after);
  line_number(text, "left ", end->left, after);
}

/* Checks one part and returns the size of its lines, without the crc line. */
static enum part part_check(const char *bytes, size_t size, size_t *lines) {
  size_t used = strnlen(bytes, size);
  size_t rest = used;
  while (rest < size && bytes[rest] == 0) rest++;
  if (rest < size) return PART_DAMAGED;
  if (used == 0) return PART_EMPTY;
  static const size_t seal = 13; /* "crc XXXXXXXX\n" */
  if (used < seal) return PART_DAMAGED;
  char expected[16];
  struct text text = TEXT_IN(expected);
  text_string(&text, "crc ");
  text_hex32(&text, crc32_of(bytes, used - seal));
  text_char(&text, '\n');
  if (memcmp(expected, bytes + used - seal, seal) != 0) return PART_DAMAGED;
  *lines = used - seal;
  return PART_GOOD;
}

/* Finds the line that begins with the key and a space; returns its value and length, or NULL. */
static const char *value_of(const char *lines, size_t size, const char *key, size_t *length) {
  size_t key_length = strlen(key);
  for (size_t at = 0; at < size;) {
    const char *end = memchr(lines + at, '\n', size - at);
    size_t line = end == NULL ? size - at : (size_t)(end - (lines + at));
    if (line > key_length && memcmp(lines + at, key, key_length) == 0 && lines[at + key_length] == ' ') {
      *length = line - key_length - 1;
      return lines + at + key_length + 1;
    }
    at += line + 1;
  }
  return NULL;
}

static bool number_line(const char *lines, size_t size, const char *key, uint64_t *number) {
  size_t length;
  const char *value = value_of(lines, size, key, &length);
  return value != NULL && number_in(value, length, UINT64_MAX, number);
}

/* `key PID START` */
static bool process_line(const char *lines, size_t size, const char *key, pid_t *pid, uint64_t *start) {
  size_t length;
  const char *value = value_of(lines, size, key, &length);
  if (value == NULL) return false;
  const char *space = memchr(value, ' ', length);
  if (space == NULL) return false;
  size_t first = (size_t)(space - value);
  uint64_t number;
  if (!number_in(value, first, INT32_MAX, &number) || number == 0) return false;
  *pid = (pid_t)number;
  return number_in(space + 1, length - first - 1, UINT64_MAX, start);
}

void claim_parse(const char *bytes, size_t size, struct claim *claim) {
  memset(claim, 0, sizeof *claim);
  claim->part1 = claim->part2 = claim->part3 = PART_DAMAGED;
  if (size != CLAIM_SIZE) return;
  size_t lines = 0;
  claim->part1 = part_check(bytes + PART_1, PART_SIZE, &lines);
  claim->part2 = part_check(bytes + PART_2, PART_SIZE, &lines);
  if (claim->part2 == PART_GOOD) {
    const char *part = bytes + PART_2;
    if (!process_line(part, lines, "shim", &claim->shim, &claim->shim_start)) claim->part2 = PART_DAMAGED;
    claim->has_command = process_line(part, lines, "command", &claim->command, &claim->command_start) &&
                         number_line(part, lines, "started", &claim->started_ns) &&
                         number_line(part, lines, "grace", &claim->grace_ms);
    size_t length = 0;
    const char *cgroup = value_of(part, lines, "cgroup", &length);
    if (cgroup != NULL && length <= CGROUP_PATH_MAX && cgroup[0] == '/') memcpy(claim->cgroup, cgroup, length);
  }
  claim->part3 = part_check(bytes + PART_3, PART_3_SIZE, &lines);
  if (claim->part3 == PART_GOOD) {
    memcpy(claim->end, bytes + PART_3, lines);
    for (size_t i = 0; i < lines; i++)
      if (claim->end[i] == '\n') claim->end[i] = 0;
    claim->end_size = lines;
  }
}

bool claim_read(int directory, const char *name, struct claim *claim, bool *held) {
  int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  /* The lock first: a run that ends between the two looks has written its record before it let go. */
  *held = flock(fd, LOCK_SH | LOCK_NB) != 0;
  char bytes[CLAIM_SIZE];
  ssize_t size = pread(fd, bytes, sizeof bytes, 0);
  int error = errno;
  close(fd);
  if (size < 0) {
    errno = error;
    return false;
  }
  claim_parse(bytes, (size_t)size, claim);
  return true;
}
