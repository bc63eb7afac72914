/* Bounded text, numbers and checksums. See text.h. */
#include "text.h"

void text_bytes(struct text *text, const void *bytes, size_t count) {
  if (count > text->room - text->used) {
    text->full = true;
    count = text->room - text->used;
  }
  if (count == 0) return;
  memcpy(text->data + text->used, bytes, count);
  text->used += count;
}

void text_string(struct text *text, const char *string) { text_bytes(text, string, strlen(string)); }

void text_char(struct text *text, char character) { text_bytes(text, &character, 1); }

void text_number(struct text *text, uint64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  text_bytes(text, digits + first, sizeof digits - first);
}

void text_hex32(struct text *text, uint32_t number) {
  for (int shift = 28; shift >= 0; shift -= 4) text_char(text, "0123456789abcdef"[(number >> shift) & 15]);
}

void text_field(struct text *text, const char *string) { text_bytes(text, string, strlen(string) + 1); }

void text_number_field(struct text *text, uint64_t number) {
  text_number(text, number);
  text_char(text, 0);
}

bool text_end(struct text *text) {
  if (text->used >= text->room) {
    text->full = true;
    if (text->room > 0) text->data[text->room - 1] = 0;
    return false;
  }
  text->data[text->used] = 0;
  return !text->full;
}

bool number_in(const char *string, size_t length, uint64_t max, uint64_t *number) {
  if (length == 0 || length > 20) return false;
  uint64_t sum = 0;
  for (size_t i = 0; i < length; i++) {
    if (string[i] < '0' || string[i] > '9') return false;
    uint64_t digit = (uint64_t)(string[i] - '0');
    if (sum > (UINT64_MAX - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  if (sum > max) return false;
  *number = sum;
  return true;
}

bool number_of(const char *string, uint64_t max, uint64_t *number) {
  return number_in(string, strnlen(string, 21), max, number);
}

bool signed_of(const char *string, int64_t min, int64_t max, int64_t *number) {
  bool minus = string[0] == '-';
  uint64_t size;
  if (!number_of(string + (minus ? 1 : 0), INT64_MAX, &size)) return false;
  int64_t value = minus ? -(int64_t)size : (int64_t)size;
  if (value < min || value > max) return false;
  *number = value;
  return true;
}

void put_u32(unsigned char *at, uint32_t number) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(number >> (8 * i));
}

void put_u64(unsigned char *at, uint64_t number) {
  for (int i = 0; i < 8; i++) at[i] = (unsigned char)(number >> (8 * i));
}

uint32_t get_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t get_u64(const unsigned char *at) { return (uint64_t)get_u32(at) | (uint64_t)get_u32(at + 4) << 32; }

/* Bit by bit: the texts are short, and a table would cost a page of memory in every run. */
uint32_t crc32_of(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint32_t crc = 0xffffffffu;
  while (count-- > 0) {
    crc ^= *at++;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}
