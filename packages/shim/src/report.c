/* What run writes about itself and its command: part 2 and part 3 of the claim, the status message, the .end file. */
#include <fcntl.h>
#include <stdio.h>

#include "run.h"

/*
 * How long run waits for serve to read its end. serve may be busy with a burst of starts; a second copy of the end,
 * synced, would only slow these down. It is for a serve that is stopped or hangs.
 */
enum { TELL_MS = 10000, DISK_RETRY_MS = 5000 };

static void process_line(struct text *text, const char *key, pid_t pid, uint64_t start) {
  text_string(text, key);
  text_number(text, (uint64_t)pid);
  text_char(text, ' ');
  text_number(text, start);
  text_char(text, '\n');
}

bool report_part2(struct run *run, bool with_command) {
  if (!run->by_serve) return true;
  char bytes[PART_SIZE];
  struct text text = TEXT_IN(bytes);
  process_line(&text, "shim ", run->self, run->self_start);
  if (with_command) {
    process_line(&text, "command ", run->command, run->command_start);
    text_string(&text, "started ");
    text_number(&text, run->end.started_ns);
    text_string(&text, "\ncgroup ");
    text_string(&text, run->cgroup_path[0] == 0 ? "-" : run->cgroup_path);
    text_string(&text, "\ngrace ");
    text_number(&text, run->spec.grace_ms);
    text_char(&text, '\n');
  }
  claim_seal(&text);
  return claim_write(FD_CLAIM, PART_2, &text);
}

/* The end in a file that survives a power cut: temporary name, synced, renamed, directory synced. */
static bool write_end_file(const struct run *run) {
  char bytes[PART_SIZE], name[EXECUTION_MAX + 16], temporary[EXECUTION_MAX + 16];
  struct text text = TEXT_IN(bytes);
  text_string(&text, "kron-end 1\nexecution ");
  text_string(&text, run->execution);
  text_char(&text, '\n');
  end_lines(&text, &run->end, '\n');
  claim_seal(&text);
  struct text final_name = TEXT_IN(name), first_name = TEXT_IN(temporary);
  text_string(&final_name, run->execution);
  text_string(&final_name, ".end");
  text_char(&first_name, '.');
  text_string(&first_name, run->execution);
  text_string(&first_name, ".end");
  if (!text_end(&final_name) || !text_end(&first_name) || text.full) return false;

  unlinkat(FD_RUNS, temporary, 0); /* left by an attempt on a full disk */
  int fd = openat(FD_RUNS, temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  errno = ENOSPC; /* of a short write */
  bool good = write(fd, bytes, text.used) == (ssize_t)text.used && fdatasync(fd) == 0 &&
              renameat(FD_RUNS, temporary, FD_RUNS, name) == 0;
  int error = errno;
  close(fd);
  if (!good) {
    unlinkat(FD_RUNS, temporary, 0);
    errno = error;
    return false;
  }
  /* A file system that cannot sync a directory has kept its word with the rename. */
  return fsync(FD_RUNS) == 0 || errno == EINVAL || errno == EBADF;
}

/* A shortage may pass. A directory that is gone or closed to us stays so, and the claim has the record anyway. */
static bool may_pass(int error) {
  return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS || error == ENOMEM || error == EMFILE ||
         error == ENFILE;
}

static enum sent send_end(const struct run *run) {
  struct message message;
  message_begin(&message, run->ref, "ended");
  end_lines(&message.text, &run->end, 0);
  return message_send(&message, FD_STATUS);
}

void report_begin(struct run *run) {
  struct output *output = &run->output;
  struct end *end = &run->end;
  end->out = output->streams[0].printed;
  end->err = output->streams[1].printed;
  end->dropped = !run->by_serve ? 0 : kept_dropped(&output->kept);
  end->undelivered = output->undelivered;
  end->why = run->why;
  if (run->by_serve) {
    char bytes[PART_SIZE];
    struct text text = TEXT_IN(bytes);
    end_lines(&text, end, '\n');
    claim_seal(&text);
    claim_write(FD_CLAIM, PART_3, &text);
  }
  run->reporting = REPORT_SEND;
  run->report_at = now_ms() + TELL_MS;
  report_go_on(run);
}

void report_taken(struct run *run) {
  if (run->reporting == REPORT_SENT) run->reporting = REPORT_DONE;
}

void report_go_on(struct run *run) {
  int64_t now = now_ms();
  if (run->reporting == REPORT_SEND) {
    enum sent sent = send_end(run);
    /* krontab waits for our exit; what it has not read yet stays in its pipe. */
    if (sent == SENT) run->reporting = !run->by_serve ? REPORT_DONE : REPORT_SENT;
    if (sent == SENT_NEVER) run->reporting = REPORT_FILE;
  }
  if (run->reporting == REPORT_SENT && pipe_is_broken(FD_STATUS)) run->reporting = REPORT_FILE;
  if ((run->reporting == REPORT_SEND || run->reporting == REPORT_SENT) && now >= run->report_at)
    run->reporting = REPORT_FILE;
  if (run->reporting != REPORT_FILE) return;
  if (!run->by_serve || write_end_file(run) || !may_pass(errno)) run->reporting = REPORT_DONE;
  else run->report_at = now + DISK_RETRY_MS;
}
