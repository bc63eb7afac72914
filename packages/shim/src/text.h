/*
 * Text in a buffer of fixed size. Nothing is ever written past the end: a text that does not fit is marked
 * `full`, and its owner decides. This replaces printf, which would triple the size of the binary.
 */
#ifndef KRON_TEXT_H
#define KRON_TEXT_H

#include "shim.h"

struct text {
  char *data;
  size_t used;
  size_t room;
  bool full;
};

/* An empty text in the given array. */
#define TEXT_IN(array) ((struct text){(array), 0, sizeof(array), false})

void text_bytes(struct text *text, const void *bytes, size_t count);
void text_string(struct text *text, const char *string);
void text_char(struct text *text, char character);
void text_number(struct text *text, uint64_t number);
void text_hex32(struct text *text, uint32_t number);

/* Adds a string and the NUL byte that ends a field. */
void text_field(struct text *text, const char *string);
void text_number_field(struct text *text, uint64_t number);

/* Ends the text as a C string; false if it did not fit. */
bool text_end(struct text *text);

/*
 * Reads a decimal number without sign, at most `max`, that fills `length` bytes. False for anything else:
 * empty, leading plus or space, more than 20 digits, too large.
 */
bool number_in(const char *string, size_t length, uint64_t max, uint64_t *number);
bool number_of(const char *string, uint64_t max, uint64_t *number);

/* The same with an optional leading minus, between min and max. */
bool signed_of(const char *string, int64_t min, int64_t max, int64_t *number);

/* Little-endian numbers, as in frames, pipe messages and the header of the kept output. */
void put_u32(unsigned char *at, uint32_t number);
void put_u64(unsigned char *at, uint64_t number);
uint32_t get_u32(const unsigned char *at);
uint64_t get_u64(const unsigned char *at);

/* CRC-32 of IEEE 802.3, as zlib computes it. */
uint32_t crc32_of(const void *bytes, size_t count);

#endif
