/*
 * Memory that grows, without a heap: whole pages from the kernel. serve has few such blocks and run has none, so a
 * heap would only cost size. Builds with sanitizers use the heap, because they can check its limits byte by byte.
 *
 * A run is a fork of serve. It gets no copy of these blocks: they hold what other jobs were given and have printed.
 */
#ifndef KRON_MEMORY_H
#define KRON_MEMORY_H

#include "shim.h"

/* Makes a block larger (NULL: a new one) and returns where it is now, or NULL if there is no memory. */
void *memory_grow(void *block, size_t size, size_t larger);

/* A block that a run forked after this does get a copy of, or NULL. */
void *memory_for_run(size_t size);

void memory_free(void *block, size_t size);

/* Gives back the stack below the caller: earlier calls have used it, and the next ones begin with new pages. */
APART void memory_give_back_stack(void);

#endif
