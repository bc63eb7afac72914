/*
 * Runs the fuzz target without libFuzzer, for compilers that have none: `standalone COUNT FILE...` tries COUNT inputs, each
 * made from one of the files by a few random changes. The same count gives the same inputs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 8192, MOST_SEEDS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
  uint8_t bytes[LONGEST];
  size_t size;
} seeds[MOST_SEEDS];

static uint64_t state = 88172645463325252u;

static size_t chance(size_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (size_t)(state % below);
}

/* One change: other bytes, a piece of the input again, a piece less, or another piece of a seed. */
static size_t change(uint8_t *bytes, size_t size) {
  static const uint8_t special[] = {0, '\n', '=', ',', ' ', '-', '0', '9', 255};
  size_t at = chance(size), length = 1 + chance(size - at < 32 ? size - at : 32);
  switch (chance(5)) {
    case 0: bytes[at] = (uint8_t)chance(256); return size;
    case 1: bytes[at] = special[chance(sizeof special)]; return size;
    case 2:
      memmove(bytes + at, bytes + at + length, size - at - length);
      return size - length > 0 ? size - length : 1;
    case 3:
      if (size + length > LONGEST) return size;
      memmove(bytes + at + length, bytes + at, size - at);
      return size + length;
    default: {
      size_t other = chance(MOST_SEEDS);
      if (seeds[other].size < length) return size;
      memcpy(bytes + at, seeds[other].bytes + chance(seeds[other].size - length + 1), length);
      return size;
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long count = atol(argv[1]);
  size_t known = 0;
  for (int i = 2; i < argc && known < MOST_SEEDS; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (file == NULL) continue;
    seeds[known].size = fread(seeds[known].bytes, 1, LONGEST, file);
    fclose(file);
    if (seeds[known].size > 0) known++;
  }
  if (known == 0) return 2;
  static uint8_t bytes[LONGEST];
  for (long done = 0; done < count; done++) {
    size_t seed = chance(known), size = seeds[seed].size;
    memcpy(bytes, seeds[seed].bytes, size);
    for (size_t changes = chance(8); changes > 0; changes--) size = change(bytes, size);
    LLVMFuzzerTestOneInput(bytes, size);
  }
  printf("%ld inputs\n", count);
}
