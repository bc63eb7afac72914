/* Parses run specs. Pure: no system call, no memory of its own. See spec.h. */
#include "spec.h"

#include "text.h"

#define MS_MAX 9007199254740991u /* 2^53 - 1: a whole number in every language that writes specs */
#define ID_MAX 4294967294u       /* 2^32 - 1 means "no change" to the kernel */
enum { KEEP_MAX = 67108864, GROUPS_MAX = 65536, PATH_LENGTH_MAX = 4095 };

static const char default_path[] = "/usr/local/bin:/usr/bin:/bin";

enum key {
  KEY_EXECUTION, KEY_JOB, KEY_CWD, KEY_UID, KEY_GID, KEY_GROUPS, KEY_UMASK, KEY_NICE, KEY_NOFILE, KEY_NPROC,
  KEY_FSIZE, KEY_CORE, KEY_STDIN, KEY_STDOUT, KEY_STDERR, KEY_KEEP, KEY_TIMEOUT, KEY_GRACE, KEY_FIRST, KEY_LAST, KEY_OOM,
  KEY_END, KEY_ARG, KEY_ENV, KEY_COUNT
};

static const char *const keys[KEY_COUNT] = {
  "execution", "job", "cwd", "uid", "gid", "groups", "umask", "nice", "nofile", "nproc", "fsize", "core", "stdin",
  "stdout", "stderr", "keep", "timeout", "grace", "first", "last", "oom", "end", "arg", "env",
};

size_t spec_fields(const char *bytes, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] == 0) count++;
  return count;
}

bool group_next(const char **list, gid_t *group) {
  size_t length = strcspn(*list, ",");
  uint64_t number;
  if (!number_in(*list, length, ID_MAX, &number)) return false;
  *group = (gid_t)number;
  *list += length;
  if (**list == ',') *list += 1;
  return true;
}

static bool groups_are_good(const char *list) {
  size_t length = strlen(list);
  if (length > 0 && list[length - 1] == ',') return false;
  gid_t group;
  for (size_t count = 0; *list != 0; count++)
    if (count == GROUPS_MAX || !group_next(&list, &group)) return false;
  return true;
}

static bool execution_is_good(const char *id) {
  size_t length = strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-");
  return length > 0 && length <= EXECUTION_MAX && id[length] == 0;
}

static bool octal_of(const char *value, mode_t *mode) {
  size_t length = strspn(value, "01234567");
  if (length == 0 || length > 5 || value[length] != 0) return false;
  mode_t sum = 0;
  while (*value != 0) sum = sum * 8 + (mode_t)(*value++ - '0');
  if (sum > 0777) return false;
  *mode = sum;
  return true;
}

static bool sink_of(const char *value, enum sink *sink, const char **file) {
  if (strcmp(value, "inherit") == 0) *sink = SINK_INHERIT;
  else if (strcmp(value, "discard") == 0) *sink = SINK_DISCARD;
  else if (strcmp(value, "syslog") == 0) *sink = SINK_SYSLOG;
  else if (strncmp(value, "file:", 5) == 0) {
    *sink = SINK_FILE;
    *file = value + 5;
    return value[5] != 0 && strlen(value + 5) <= PATH_LENGTH_MAX;
  } else return false;
  return true;
}

static bool limit_of(const char *value, struct limit *limit) {
  limit->given = true;
  return number_of(value, UINT64_MAX, &limit->value);
}

/* Takes one value into the spec; false if it is out of its range. */
static bool take(struct spec *spec, enum key key, const char *value) {
  uint64_t number = 0;
  int64_t signed_number = 0;
  switch (key) {
    case KEY_EXECUTION: spec->execution = value; return execution_is_good(value);
    case KEY_JOB: spec->job = value; return value[0] != 0 && strlen(value) <= JOB_MAX;
    case KEY_CWD: spec->cwd = value; return value[0] == '/' && strlen(value) <= PATH_LENGTH_MAX;
    case KEY_UID:
      if (!number_of(value, ID_MAX, &number)) return false;
      spec->uid = (uid_t)number;
      return spec->has_uid = true;
    case KEY_GID:
      if (!number_of(value, ID_MAX, &number)) return false;
      spec->gid = (gid_t)number;
      return spec->has_gid = true;
    case KEY_GROUPS: spec->groups = value; return groups_are_good(value);
    case KEY_UMASK: return spec->has_umask = octal_of(value, &spec->umask);
    case KEY_NICE:
      if (!signed_of(value, -20, 19, &signed_number)) return false;
      spec->nice = (int)signed_number;
      return spec->has_nice = true;
    case KEY_NOFILE: return limit_of(value, &spec->limits[LIMIT_NOFILE]);
    case KEY_NPROC: return limit_of(value, &spec->limits[LIMIT_NPROC]);
    case KEY_FSIZE: return limit_of(value, &spec->limits[LIMIT_FSIZE]);
    case KEY_CORE: return limit_of(value, &spec->limits[LIMIT_CORE]);
    case KEY_STDIN: spec->stdin_text = value; return true;
    case KEY_STDOUT: return sink_of(value, &spec->sink[0], &spec->file[0]);
    case KEY_STDERR: return sink_of(value, &spec->sink[1], &spec->file[1]);
    case KEY_KEEP: return number_of(value, KEEP_MAX, &spec->keep);
    case KEY_TIMEOUT:
      spec->has_timeout = true;
      return number_of(value, MS_MAX, &spec->timeout_ms) && spec->timeout_ms > 0;
    case KEY_GRACE: return number_of(value, MS_MAX, &spec->grace_ms);
    case KEY_FIRST: spec->has_first = true; return number_of(value, UINT64_MAX, &spec->first_ns);
    case KEY_LAST: spec->has_last = true; return number_of(value, UINT64_MAX, &spec->last_ns);
    case KEY_OOM:
      if (!signed_of(value, -1000, 1000, &signed_number)) return false;
      spec->oom = (int)signed_number;
      return spec->has_oom = true;
    case KEY_END:
      spec->by_caller = strcmp(value, "caller") == 0;
      return spec->by_caller || strcmp(value, "shim") == 0;
    case KEY_ENV: {
      const char *equals = strchr(value, '=');
      if (equals == NULL || equals == value) return false;
      if (strncmp(value, "PATH=", 5) == 0) spec->path = value + 5;
      return true;
    }
    case KEY_ARG:
    case KEY_COUNT: break;
  }
  return true;
}

static enum key key_of(const char *field, size_t length) {
  for (int key = 0; key < KEY_COUNT; key++)
    if (strlen(keys[key]) == length && memcmp(keys[key], field, length) == 0) return (enum key)key;
  return KEY_COUNT;
}

const char *spec_parse(const char *bytes, size_t size, struct spec *spec, char **arguments, char **environment) {
  static const char version[] = "kron-run/1";
  memset(spec, 0, sizeof *spec);
  spec->path = default_path;
  spec->groups = "";
  spec->keep = 65536;
  spec->grace_ms = 10000;
  if (size == 0 || bytes[size - 1] != 0) return "unended";
  if (size < sizeof version || memcmp(bytes, version, sizeof version) != 0) return "version";

  bool seen[KEY_COUNT] = {false};
  size_t argument_count = 0, variable_count = 0;
  for (const char *field = bytes + sizeof version; field < bytes + size; field += strlen(field) + 1) {
    const char *equals = strchr(field, '=');
    if (equals == NULL) return "field";
    enum key key = key_of(field, (size_t)(equals - field));
    if (key == KEY_COUNT) return "key";
    const char *value = equals + 1;
    if (seen[key] && key != KEY_ARG && key != KEY_ENV) return keys[key];
    seen[key] = true;
    if (!take(spec, key, value)) return keys[key];
    if (key == KEY_ARG) {
      if (argument_count == 0) spec->program = value;
      if (arguments != NULL) arguments[argument_count] = (char *)(uintptr_t)value;
      argument_count++;
    } else if (key == KEY_ENV) {
      if (environment != NULL) environment[variable_count] = (char *)(uintptr_t)value;
      variable_count++;
    }
  }
  if (arguments != NULL) arguments[argument_count] = NULL;
  if (environment != NULL) environment[variable_count] = NULL;

  if (!seen[KEY_EXECUTION]) return keys[KEY_EXECUTION];
  if (!seen[KEY_JOB]) return keys[KEY_JOB];
  if (spec->program == NULL || spec->program[0] == 0) return keys[KEY_ARG];
  if (spec->has_uid != spec->has_gid) return spec->has_uid ? keys[KEY_GID] : keys[KEY_UID];
  if (seen[KEY_GROUPS] && !spec->has_uid) return keys[KEY_GROUPS];
  return NULL;
}
