/*
 * Bursts: while many runs start, serve sends krond nothing, and runs whose command has ended put off their last work (the end
 * record, the message, their exit), because all this would take the processor time that the starts need. serve tells its
 * runs through a word of shared memory. burst.c
 */
#ifndef KRON_BURST_H
#define KRON_BURST_H

#include "shim.h"

/* BURST_STARTS: more starts than this at once are a burst. BURST_MS: nobody waits longer than this for its end. */
enum { BURST_MS = 1000, BURST_STARTS = 32 };

/* serve: before its first run; then in every turn of its loop: whether starts wait, and how many have not begun yet. */
void burst_open(void);
void burst_look(bool starts_wait, size_t under_way);
bool burst_is_on(void);
int64_t burst_next(void); /* when to look again, or 0 */

/* run: returns at once if there is no burst. */
void burst_wait(void);

#endif
