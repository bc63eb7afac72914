/*
 * The kept copy of a run's output, RUNS-DIR/EXECUTION.output: the beginning (head) and the latest (ring), within a
 * fixed number of bytes. PROTOCOL.md has the layout. A write that fails is counted, never waited for.
 */
#ifndef KRON_KEPT_H
#define KRON_KEPT_H

#include "shim.h"

struct kept {
  int directory;
  int fd;
  const char *execution;
  bool head_closed;
  uint64_t keep, head_room, ring_room;
  uint64_t head_used, ring_start, ring_used;
  uint64_t head_payload, ring_payload;
  uint64_t total;
  uint32_t sequence;
};

void kept_init(struct kept *kept, int directory, const char *execution, uint64_t keep);

/* Adds bytes that the command printed. stream: 1 out, 2 err. Creates the file with the first byte. */
void kept_add(struct kept *kept, int stream, const char *bytes, size_t count);

/* Bytes printed, but not in the file. */
uint64_t kept_dropped(const struct kept *kept);

#endif
