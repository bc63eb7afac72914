/* The stream to krond (descriptor 3): what came and is not handled yet, what waits to be written. */
#ifndef KRON_LINK_H
#define KRON_LINK_H

#include "frame.h"

/* More than this waiting: no output is read from the runs until krond has read some. */
enum { LINK_BACKLOG = 262144 };

void link_open(int fd);

/*
 * Reads what is there, up to about a thousand frames, and hands every whole frame to `handle`. False: krond is gone. A
 * bad frame ends serve.
 */
bool link_read(void (*handle)(const char *body, size_t size));

/* Builds one frame: begin, fields, end. It is written by the next link_flush. */
void link_begin(const char *kind);
void link_field(const char *string);
void link_number(uint64_t number);
void link_bytes(const void *bytes, size_t count);
void link_end(void);

/* Writes as much as krond takes now. False: krond is gone. */
bool link_flush(void);

size_t link_waiting(void);

#endif
