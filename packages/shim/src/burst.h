/*
 * A word of memory that serve shares with its runs: while it starts many runs, those whose command has ended put off
 * their last work (the end record, the message, their exit), because it would take the processor time that the starts
 * need. burst.c
 */
#ifndef KRON_BURST_H
#define KRON_BURST_H

#include "shim.h"

/* At most this long does anybody wait for the end of a burst. */
enum { BURST_MS = 1000 };

void burst_open(void);         /* serve: before its first run */
void burst_set(bool under_way); /* serve */
void burst_wait(void);         /* run: returns at once if serve has no burst of starts */

#endif
