/* Writes the kept copy of the output. See kept.h, and PROTOCOL.md for the layout. */
#include "kept.h"

#include <fcntl.h>
#include <sys/uio.h>

#include "text.h"

enum { HEADER = 64, MARK = 4, RECORD_MAX = 4096 };

void kept_init(struct kept *kept, int directory, const char *execution, uint64_t keep) {
  memset(kept, 0, sizeof *kept);
  kept->directory = directory;
  kept->fd = -1;
  kept->execution = execution;
  kept->keep = keep;
  kept->head_room = keep / 2;
  kept->ring_room = keep - kept->head_room;
}

uint64_t kept_dropped(const struct kept *kept) { return kept->total - kept->head_payload - kept->ring_payload; }

static bool create(struct kept *kept) {
  char name[EXECUTION_MAX + 16];
  struct text text = TEXT_IN(name);
  text_string(&text, kept->execution);
  text_string(&text, ".output");
  if (!text_end(&text)) return false;
  const int flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  kept->fd = openat(kept->directory, name, flags, 0600);
  if (kept->fd < 0 && errno == EEXIST && unlinkat(kept->directory, name, 0) == 0)
    kept->fd = openat(kept->directory, name, flags, 0600);
  return kept->fd >= 0;
}

static bool write_header(struct kept *kept) {
  unsigned char header[HEADER] = "kron-output 1\n";
  put_u64(header + 16, kept->keep);
  put_u64(header + 24, kept->head_used);
  put_u64(header + 32, kept->ring_start);
  put_u64(header + 40, kept->ring_used);
  put_u64(header + 48, kept->total);
  put_u32(header + 56, ++kept->sequence);
  put_u32(header + 60, crc32_of(header, 60));
  return pwrite(kept->fd, header, sizeof header, 0) == HEADER;
}

/* Writes one record at an offset of the file. */
static bool write_record(struct kept *kept, uint64_t offset, int stream, const char *bytes, size_t count) {
  unsigned char mark[MARK] = {(unsigned char)stream, (unsigned char)count, (unsigned char)(count >> 8), 0};
  struct iovec parts[2] = {{mark, MARK}, {(void *)(uintptr_t)bytes, count}};
  return pwritev(kept->fd, parts, 2, (off_t)offset) == (ssize_t)(MARK + count);
}

static size_t record_size(uint64_t room, size_t count) {
  if (count > RECORD_MAX) count = RECORD_MAX;
  return room - MARK < count ? (size_t)(room - MARK) : count;
}

/* Fills the head; returns how many bytes went there. */
static size_t add_to_head(struct kept *kept, int stream, const char *bytes, size_t count) {
  size_t done = 0;
  while (done < count && !kept->head_closed) {
    uint64_t room = kept->head_room - kept->head_used;
    if (room <= MARK) {
      kept->head_closed = true;
      break;
    }
    size_t size = record_size(room, count - done);
    if (!write_record(kept, HEADER + kept->head_used, stream, bytes + done, size)) {
      /* What comes later goes to the ring, so that the gap stays between the two. */
      kept->head_closed = true;
      break;
    }
    kept->head_used += MARK + size;
    kept->head_payload += size;
    done += size;
  }
  return done;
}

static void empty_ring(struct kept *kept) { kept->ring_start = kept->ring_used = kept->ring_payload = 0; }

/* Takes the oldest record, or the gap at the end of the ring, out of the account. */
static void drop_oldest(struct kept *kept) {
  uint64_t to_end = kept->ring_room - kept->ring_start;
  if (to_end <= MARK) {
    kept->ring_used = kept->ring_used > to_end ? kept->ring_used - to_end : 0;
    kept->ring_start = 0;
    return;
  }
  unsigned char mark[MARK];
  off_t at = (off_t)(HEADER + kept->head_room + kept->ring_start);
  uint64_t size = 0;
  if (pread(kept->fd, mark, MARK, at) == MARK) size = get_u32(mark) >> 8;
  if (size == 0 || size > kept->ring_payload || MARK + size > kept->ring_used || MARK + size > to_end) {
    empty_ring(kept); /* unreadable: the kept tail begins anew */
    return;
  }
  kept->ring_used -= MARK + size;
  kept->ring_start = (kept->ring_start + MARK + size) % kept->ring_room;
  kept->ring_payload -= size;
}

/* Adds to the ring. The header without the dropped records is on disk before their bytes are overwritten. */
static void add_to_ring(struct kept *kept, int stream, const char *bytes, size_t count) {
  /* Marks of the records, and the gap and the extra record at the end of the ring. */
  uint64_t marks = MARK * (kept->ring_room / RECORD_MAX + 2) + MARK;
  if (kept->ring_room <= marks) return;
  if (count > kept->ring_room - marks) {
    size_t skip = count - (size_t)(kept->ring_room - marks);
    bytes += skip;
    count -= skip;
  }
  uint64_t need = count + MARK * (count / RECORD_MAX + 2) + MARK;
  bool dropped = false;
  if (kept->ring_used > 0 && need + MARK + 1 > kept->ring_room) {
    empty_ring(kept); /* no record, not even the smallest, can stay */
    dropped = true;
  }
  while (kept->ring_used > 0 && kept->ring_used + need > kept->ring_room) {
    drop_oldest(kept);
    dropped = true;
  }
  if (kept->ring_used == 0) empty_ring(kept);
  if (dropped && !write_header(kept)) {
    empty_ring(kept);
    return;
  }
  while (count > 0) {
    uint64_t end = (kept->ring_start + kept->ring_used) % kept->ring_room;
    uint64_t to_end = kept->ring_room - end;
    if (to_end <= MARK) {
      kept->ring_used += to_end;
      continue;
    }
    size_t size = record_size(to_end, count);
    if (!write_record(kept, HEADER + kept->head_room + end, stream, bytes, size)) return;
    kept->ring_used += MARK + size;
    kept->ring_payload += size;
    bytes += size;
    count -= size;
  }
}

void kept_add(struct kept *kept, int stream, const char *bytes, size_t count) {
  kept->total += count;
  if (kept->keep == 0 || (kept->fd < 0 && !create(kept))) return;
  bool head_was_open = !kept->head_closed;
  size_t done = add_to_head(kept, stream, bytes, count);
  /* A head that just failed loses this piece: the ring must not hold bytes whose place is unknown. */
  bool failed = head_was_open && kept->head_closed && kept->head_room - kept->head_used > MARK && done < count;
  if (done < count && !failed) add_to_ring(kept, stream, bytes + done, count - done);
  write_header(kept);
}
