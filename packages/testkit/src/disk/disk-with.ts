import type { Disk } from '@kron/runtime'

/** A disk with some operations replaced, for tests of failures. */
export const diskWith = (disk: Disk, others: Partial<Disk>): Disk => ({
  read: path => disk.read(path),
  stat: path => disk.stat(path),
  list: path => disk.list(path),
  makeDirectory: (path, mode) => disk.makeDirectory(path, mode),
  create: (path, mode) => disk.create(path, mode),
  openToAppend: path => disk.openToAppend(path),
  rename: (from, to) => disk.rename(from, to),
  remove: path => disk.remove(path),
  syncDirectory: path => disk.syncDirectory(path),
  ...others,
})
