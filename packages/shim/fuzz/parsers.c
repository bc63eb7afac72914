/*
 * The fuzz target: the first byte of an input chooses a parser, the rest is its input. All of them must take any bytes
 * without touching memory that is not theirs; the checks below are the promises that the rest of the program uses.
 */
#include <stdlib.h>

#include "claim.h"
#include "frame.h"
#include "process.h"
#include "spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool promise) {
  if (!promise) abort();
}

static void fuzz_spec(const char *bytes, size_t size) {
  struct spec spec;
  size_t room = spec_fields(bytes, size) + 1;
  char **lists = malloc(2 * room * sizeof *lists);
  if (lists == NULL) return;
  const char *wrong = spec_parse(bytes, size, &spec, lists, lists + room);
  struct spec again;
  const char *wrong_again = spec_parse(bytes, size, &again, NULL, NULL);
  must((wrong == NULL) == (wrong_again == NULL)); /* serve and run agree */
  if (wrong == NULL) {
    must(spec.execution != NULL && strlen(spec.execution) <= EXECUTION_MAX && strlen(spec.execution) > 0);
    must(lists[0] != NULL && lists[0] == spec.program && lists[0][0] != 0);
    must(spec.has_uid == spec.has_gid);
    must(spec.keep <= 67108864 && spec.umask <= 0777 && spec.nice >= -20 && spec.nice <= 19);
    const char *list = spec.groups;
    gid_t group;
    size_t count = 0;
    while (group_next(&list, &group)) count++;
    must(*list == 0 && count <= 65536);
  }
  free(lists);
}

static void fuzz_frames(const char *bytes, size_t size) {
  const unsigned char *at = (const unsigned char *)bytes;
  const char *body;
  size_t length;
  while (frame_find(at, size, &body, &length) == FRAME_GOOD) {
    must(length + 4 <= size);
    struct fields fields = {body, body + length};
    const char *field;
    while ((field = field_next(&fields)) != NULL) must(field + strlen(field) < body + length);
    must(fields.at == fields.end);
    at += 4 + length;
    size -= 4 + length;
  }
}

static void fuzz_claim(const char *bytes, size_t size) {
  struct claim claim;
  claim_parse(bytes, size, &claim);
  must(strlen(claim.cgroup) <= CGROUP_PATH_MAX);
  must(claim.end_size <= PART_3_SIZE);
  must(!claim.has_command || (claim.command > 0 && claim.shim > 0) || claim.part2 == PART_DAMAGED);

  /* A whole claim, made of pieces with a good checksum, so that the fuzzer gets past it. */
  char whole[CLAIM_SIZE];
  memset(whole, 0, sizeof whole);
  struct text part2 = {whole + PART_2, 0, PART_SIZE, false}, part3 = {whole + PART_3, 0, PART_SIZE, false};
  text_bytes(&part2, bytes, strnlen(bytes, size < 1000 ? size : 1000));
  claim_seal(&part2);
  const char *rest = memchr(bytes, 0, size);
  size_t left = rest == NULL ? 0 : size - (size_t)(rest - bytes) - 1;
  if (left > 0) text_bytes(&part3, rest + 1, strnlen(rest + 1, left < 1000 ? left : 1000));
  claim_seal(&part3);
  claim_parse(whole, sizeof whole, &claim);
  must(claim.part3 == PART_GOOD && claim.part2 != PART_EMPTY);
  must(strlen(claim.cgroup) <= CGROUP_PATH_MAX && claim.end_size <= PART_3_SIZE);
}

static void fuzz_stat(const char *bytes, size_t size) {
  struct process process = {0};
  if (process_parse(bytes, size, &process)) must(process.parent >= 0);
}

static void fuzz_numbers(const char *bytes, size_t size) {
  uint64_t number = 0;
  if (number_in(bytes, size, 12345678901234567890u, &number)) must(number <= 12345678901234567890u && size <= 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  /* A copy of the exact size: one byte too far is found. */
  char *bytes = malloc(size - 1 == 0 ? 1 : size - 1);
  if (bytes == NULL) return 0;
  memcpy(bytes, data + 1, size - 1);
  switch (data[0] % 5) {
    case 0: fuzz_spec(bytes, size - 1); break;
    case 1: fuzz_frames(bytes, size - 1); break;
    case 2: fuzz_claim(bytes, size - 1); break;
    case 3: fuzz_stat(bytes, size - 1); break;
    default: fuzz_numbers(bytes, size - 1); break;
  }
  free(bytes);
  return 0;
}
