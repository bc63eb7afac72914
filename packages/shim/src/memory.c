/* Blocks of whole pages. See memory.h. */
#include "memory.h"

#include <sys/mman.h>

void memory_give_back_stack(void) {
  enum { PAGE = 4096, MOST = 32 * PAGE, OWN = 512 /* more than this call and madvise have on the stack */ };
  char here;
  uintptr_t end = ((uintptr_t)&here - OWN) & ~(uintptr_t)(PAGE - 1);
  madvise((void *)(end - MOST), MOST, MADV_DONTNEED);
}

#ifdef KRON_HEAP
#include <stdlib.h>

void *memory_grow(void *block, size_t size, size_t larger) {
  (void)size;
  return realloc(block, larger);
}

void *memory_for_run(size_t size) { return malloc(size); }

void memory_free(void *block, size_t size) {
  (void)size;
  free(block);
}
#else
void *memory_for_run(size_t size) {
  void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return block == MAP_FAILED ? NULL : block;
}

void *memory_grow(void *block, size_t size, size_t larger) {
  if (block == NULL) {
    block = memory_for_run(larger);
    if (block != NULL) madvise(block, larger, MADV_DONTFORK);
    return block;
  }
  void *now = mremap(block, size, larger, MREMAP_MAYMOVE);
  return now == MAP_FAILED ? NULL : now;
}

void memory_free(void *block, size_t size) {
  if (block != NULL) munmap(block, size);
}
#endif
