/* run while its command lives, and after: signals, the time limit, the end of the tree, output. See run.h. */
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "burst.h"
#include "memory.h"
#include "process.h"
#include "run.h"
#include "tree.h"

enum { AFTER_KILL_MS = 5000, SWEEP_MS = 25, LONG_SLEEP_MS = 1000 };

/* Sends a signal to the command's group and to every descendant. */
static void signal_tree(const struct run *run, int number) {
  if (!run->command_ended) kill(-run->command, number); /* not reaped yet: the number is still ours */
  tree_signal(run->self, run->self_start, number);
}

static void kill_tree(struct run *run) {
  if (run->cgroup_path[0] != 0) cgroup_kill(FD_CGROUP);
  if (!run->command_ended) kill(-run->command, SIGKILL);
  tree_kill(run->self, run->self_start);
}

static int64_t later(int64_t now, uint64_t ms) {
  return ms > (uint64_t)(INT64_MAX - now) ? INT64_MAX : now + (int64_t)ms;
}

void run_end(struct run *run, enum why why, bool at_once) {
  int64_t now = now_ms();
  if (run->phase == PHASE_RUNNING) {
    run->phase = PHASE_ENDING;
    run->why = why;
    run->kill_at = at_once ? now : later(now, run->spec.grace_ms);
    if (!at_once) {
      signal_tree(run, SIGTERM);
      signal_tree(run, SIGCONT); /* a stopped process would not see TERM */
    }
  } else if (run->phase == PHASE_ENDING && at_once) {
    run->kill_at = now;
  }
}

static void note_end(struct run *run, int status, const struct rusage *usage) {
  struct end *end = &run->end;
  end->ended_ns = boot_ns();
  end->by_signal = WIFSIGNALED(status);
  end->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  end->user_us = (uint64_t)usage->ru_utime.tv_sec * 1000000u + (uint64_t)usage->ru_utime.tv_usec;
  end->system_us = (uint64_t)usage->ru_stime.tv_sec * 1000000u + (uint64_t)usage->ru_stime.tv_usec;
  end->memory_kib = (uint64_t)usage->ru_maxrss;
  run->command_ended = true;
}

/* Reaps the command and orphans. The kernel says ECHILD when nobody of the tree is left. */
static void reap(struct run *run) {
  for (;;) {
    int status;
    struct rusage usage;
    pid_t pid = wait4(-1, &status, WNOHANG, &usage);
    if (pid < 0 && errno == EINTR) continue;
    run->nobody_left = pid < 0 && errno == ECHILD;
    if (pid <= 0) return;
    if (pid == run->command && !run->command_ended) note_end(run, status, &usage);
  }
}

static void finish(struct run *run) {
  if (run->nobody_left) burst_wait(); /* else somebody may wait for room in a pipe */
  run->phase = PHASE_ENDED;
  run->output.paused_until = 0;
  output_drain(&run->output);
  if (run->nobody_left) output_flush(&run->output);
  report_begin(run);
}

/* Moves the end forward as far as it has come. */
static void advance(struct run *run) {
  int64_t now = now_ms();
  if (run->phase == PHASE_RUNNING && run->command_ended) {
    finish(run);
    return;
  }
  if (run->phase == PHASE_RUNNING && run->timeout_at != 0 && now >= run->timeout_at)
    run_end(run, WHY_TIMEOUT, false);
  if (run->phase == PHASE_ENDING && now >= run->kill_at && !run->nobody_left) {
    run->phase = PHASE_KILLING;
    run->kill_at = now + AFTER_KILL_MS;
    run->sweep_at = 0;
  }
  if (run->phase == PHASE_KILLING && !run->nobody_left && now >= run->sweep_at) {
    kill_tree(run);
    reap(run);
    run->sweep_at = now_ms() + SWEEP_MS;
  }
  if ((run->phase == PHASE_ENDING || run->phase == PHASE_KILLING) && run->nobody_left) {
    finish(run);
  } else if (run->phase == PHASE_KILLING && now_ms() >= run->kill_at) {
    run->end.left = tree_signal(run->self, run->self_start, 0);
    if (!run->command_ended) { /* KILL is pending; the process does not come back from the kernel */
      run->end.by_signal = true;
      run->end.code = SIGKILL;
      run->end.ended_ns = boot_ns();
    }
    finish(run);
  }
}

static void take_order(struct run *run, const struct signalfd_siginfo *info) {
  int value = info->ssi_code == SI_QUEUE ? info->ssi_int : 0;
  if (value == ORDER_TAKEN) {
    report_taken(run);
    return;
  }
  int why = value & ~ORDER_NOW;
  bool known = why >= WHY_REPLACED && why <= WHY_UNRECORDED;
  if (run->phase == PHASE_ENDED) {
    /* Nothing is left to end: stop waiting for the output of those who stayed. */
    output_drain(&run->output);
    close_fd(&run->output.streams[0].pipe);
    close_fd(&run->output.streams[1].pipe);
    return;
  }
  run_end(run, known ? (enum why)why : WHY_REQUESTED, known && (value & ORDER_NOW) != 0);
}

static void take_signals(struct run *run) {
  struct signalfd_siginfo info;
  while (read(run->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    int number = (int)info.ssi_signo;
    run->output.paused_until = 0;
    if (number == SIGCHLD) continue;
    if (number == SIGTERM || number == ORDER_SIGNAL) {
      take_order(run, &info);
    } else if (run->phase != PHASE_ENDED) { /* INT, QUIT, HUP: only run for krontab listens to them */
      if (!run->command_ended) kill(-run->command, number);
      if (number == SIGHUP) run_end(run, WHY_REQUESTED, false);
    }
  }
  reap(run);
}

static void earlier(int64_t *next, int64_t at) {
  if (at != 0 && (*next == 0 || at < *next)) *next = at;
}

/* How long poll may sleep: to the next thing that is due; -1: for ever. */
static int sleep_ms(const struct run *run, int64_t now) {
  int64_t next = 0;
  if (run->phase == PHASE_RUNNING) earlier(&next, run->timeout_at);
  if (run->phase == PHASE_ENDING || run->phase == PHASE_KILLING) earlier(&next, run->kill_at);
  if (run->phase == PHASE_KILLING) earlier(&next, run->sweep_at);
  if (run->reporting != REPORT_NOTHING && run->reporting != REPORT_DONE) earlier(&next, run->report_at);
  earlier(&next, run->output.paused_until);
  if (next == 0) return -1;
  if (next <= now) return 0;
  return next - now > 1000000000 ? 1000000000 : (int)(next - now);
}

/* Most runs sleep for most of their life. Before a long sleep, a run gives back the stack that its work has used. */
static void give_back(int ms) {
  if (ms >= 0 && ms <= LONG_SLEEP_MS) return;
  memory_give_back_stack();
}

void run_live(struct run *run) {
  struct stream *streams = run->output.streams;
  reap(run);
  advance(run);
  while (run->reporting != REPORT_DONE || output_is_open(&run->output)) {
    int64_t now = now_ms();
    if (run->output.paused_until != 0 && now >= run->output.paused_until) run->output.paused_until = 0;
    bool reading = run->output.paused_until == 0;
    /* The status pipe: room for the end, or the death of its reader; krontab's closes when krontab dies. */
    bool by_krontab = !run->by_serve && run->phase == PHASE_RUNNING;
    bool telling = run->reporting == REPORT_SEND || run->reporting == REPORT_SENT;
    struct pollfd ready[4] = {
      {run->signals, POLLIN, 0},
      {reading ? streams[0].pipe : -1, POLLIN, 0},
      {reading ? streams[1].pipe : -1, POLLIN, 0},
      {by_krontab || telling ? FD_STATUS : -1, run->reporting == REPORT_SEND ? POLLOUT : 0, 0},
    };
    /* After a wait an empty pipe means silence: the next line is read at once again. */
    int ms = sleep_ms(run, now);
    give_back(ms);
    int count = poll(ready, LENGTH(ready), ms);
    if (count < 0 && errno != EINTR) break;
    if (count > 0 && ready[0].revents != 0) take_signals(run);
    if (count > 0 && (ready[1].revents | ready[2].revents) != 0) output_read(&run->output, now_ms());
    bool status_changed = count > 0 && ready[3].revents != 0;
    if (status_changed && by_krontab) run_end(run, WHY_REQUESTED, false);
    advance(run);
    if (run->reporting != REPORT_NOTHING && run->reporting != REPORT_DONE &&
        (status_changed || now_ms() >= run->report_at))
      report_go_on(run);
  }
  output_flush(&run->output);
}
