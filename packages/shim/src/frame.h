/*
 * Frames between krond and serve: a little-endian length, then NUL-ended text fields. This file only reads bytes
 * that are in memory; link.c moves them.
 */
#ifndef KRON_FRAME_H
#define KRON_FRAME_H

#include "text.h"

/* The rest of a frame that is being read field by field. */
struct fields {
  const char *at;
  const char *end;
};

enum frame { FRAME_GOOD, FRAME_PARTIAL, FRAME_BAD };

/* Looks at the bytes received so far. FRAME_GOOD: *body and *size are the first frame's. */
enum frame frame_find(const unsigned char *bytes, size_t count, const char **body, size_t *size);

/* The next field, or NULL at the end. A frame that frame_find accepted has only whole fields. */
const char *field_next(struct fields *fields);

/* The next field as a number from min to max; false if it is something else. */
bool field_number(struct fields *fields, uint64_t min, uint64_t max, uint64_t *number);

#endif
