/*
 * `kron-shim serve`: one process, one loop. serve.c has the loop and the frames, start.c starts runs, watch.c knows
 * every run and follows those of earlier daemons, held.c holds starts until their time, relay.c reads the pipes of the
 * runs, control.c has the control socket.
 */
#ifndef KRON_SERVE_H
#define KRON_SERVE_H

#include "claim.h"
#include "link.h"

struct serve {
  const char *claims_path;
  const char *cgroup_path;
  int claims, runs, cgroup; /* directories; cgroup may be -1 */
  int status, output; /* read ends of the pipes that all runs share; the write ends are 5 and 8 */
  int epoll, signals, inotify;
  bool sync;
  char boot[64];
};

extern struct serve serve;

/* Sources of events, in the upper half of epoll's number; the lower half is a ref or the number of a connection. */
enum source { ON_LINK, ON_STATUS, ON_OUTPUT, ON_SIGNAL, ON_CLAIM, ON_PIDFD, ON_TIMER, ON_CONTROL, ON_CONNECTION };

int serve_main(int argc, char **argv);

/* In a fork of serve: leaves serve's loop for the life of a run. */
struct handover;
_Noreturn void serve_become(const struct handover *handover);

/* Writes a message to standard error and exits. */
_Noreturn void serve_die(const char *message, int status);

/* Adds a descriptor; changes its events (0: none but errors and hangups). The kernel removes it when it is closed. */
bool serve_listen(int fd, uint32_t events, enum source source, uint32_t number);
void serve_change(int fd, uint32_t events, enum source source, uint32_t number);

/*
 * start.c: starts a run, holds it until its time, or puts it off while the system is short of processes. spec: the fields
 * after the name.
 */
void start_now(uint32_t ref, const char *claim, const char *spec, size_t size); /* the spec is good, its time has come */
void start_run(uint32_t ref, const char *claim, const char *spec, size_t size);
void start_clean(void); /* removes hidden claims and empty cgroups that a killed serve and killed runs left */
void start_retry(int64_t now, bool at_once);
bool start_cancel(uint32_t ref); /* takes a delayed start back; false if there is none */
int64_t start_next(void); /* when to try again, or 0 */

/*
 * A prepared run is forked before its time, with a claim that has a hidden name, and waits with its child. At its time serve
 * gives the claim its name and tells the run to go on. Returns the run, or 0 if it cannot be: then the start is made
 * at its time.
 */
pid_t start_prepare(uint32_t ref, const char *claim, const char *spec, size_t size);
void start_prepared(uint32_t ref, pid_t run, const char *claim, const char *spec, size_t size); /* its time has come */
void start_discard(uint32_t ref, pid_t run, const char *spec, size_t size); /* run: 0 if it is dead */

/* held.c */
void held_open(void);
bool held_add(uint32_t ref, const char *claim, uint64_t first_ns, const char *spec, size_t size); /* false: no memory */
bool held_cancel(uint32_t ref); /* takes a held start back; false if it is not held any more */
bool held_is_due(void); /* whether the time of a held start has come */
void held_tick(void);
void held_prepare(void); /* forks a few runs whose time has not come */
bool held_wants_more(void); /* whether there are more to prepare */
bool held_any_prepared(void); /* whether runs wait for their time */
void held_dead(pid_t run); /* a child of serve has died; perhaps it was a prepared run */

/* Frames about a run. */
void tell_refused(uint32_t ref, const char *stage, int error, const char *detail);
void tell_unknown(uint32_t ref);

/* watch.c */
void watch_add_own(uint32_t ref, pid_t shim, const char *claim, uint64_t grace_ms);
/* It was told to go on; if it dies before it does, it is started again. */
void watch_add_prepared(uint32_t ref, pid_t shim, const char *claim, const char *spec, size_t size, uint64_t grace_ms);
void watch_started(uint32_t ref, pid_t command, uint64_t start);
void watch_done(uint32_t ref, bool ended); /* ended: its run waits to hear that the end was read */
bool watch_dead(pid_t shim, int status); /* false: it is no run that has begun */
size_t watch_silent(void); /* how many own runs have neither begun nor refused yet */
void watch_follow(uint32_t ref, const char *claim);
void watch_end(uint32_t ref, int order);
void watch_event(uint32_t ref);
APART void watch_claims(void);
void watch_tick(int64_t now);
int64_t watch_next(void);
bool watch_any(void);

/* relay.c */
void relay_open(void);
void relay_status(void);
void relay_output(void);
bool relay_has_room(int64_t now); /* whether krond shall get more output now */
int64_t relay_next(void);          /* when it shall get more again, or 0 */

/* control.c */
void control_open(const char *path);
void control_accept(void);
void control_event(uint32_t number, uint32_t events);
void control_answer(uint64_t connection, bool last, const char *text);
void control_tick(int64_t now);
int64_t control_next(void);
void control_close(void);

/* notify.c */
void notify_send(const char *text);

#endif
