/* Takes frames apart. Pure. See frame.h. */
#include "frame.h"

enum frame frame_find(const unsigned char *bytes, size_t count, const char **body, size_t *size) {
  if (count < 4) return FRAME_PARTIAL;
  uint32_t length = get_u32(bytes);
  if (length == 0 || length > FRAME_MAX) return FRAME_BAD;
  if (count - 4 < length) return FRAME_PARTIAL;
  if (bytes[3 + length] != 0) return FRAME_BAD;
  *body = (const char *)bytes + 4;
  *size = length;
  return FRAME_GOOD;
}

const char *field_next(struct fields *fields) {
  if (fields->at >= fields->end) return NULL;
  const char *field = fields->at;
  fields->at += strlen(field) + 1;
  return field;
}

bool field_number(struct fields *fields, uint64_t min, uint64_t max, uint64_t *number) {
  const char *field = field_next(fields);
  return field != NULL && number_of(field, max, number) && *number >= min;
}
