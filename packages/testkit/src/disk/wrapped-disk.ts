import type { Disk, DiskFile } from '@kron/runtime'

/** Surrounds an operation on a disk with something else: a count, a fault, a death. */
export type Around = <Arguments extends unknown[], Result>(
  operation: keyof Disk | keyof DiskFile,
  act: (...values: Arguments) => Promise<Result>,
) => (...values: Arguments) => Promise<Result>

/** The same disk with every operation surrounded; `file` surrounds the files that it opens. */
export const wrappedDisk = (disk: Disk, around: Around, file: (opened: DiskFile) => DiskFile): Disk => ({
  read: around('read', path => disk.read(path)),
  stat: around('stat', path => disk.stat(path)),
  list: around('list', path => disk.list(path)),
  makeDirectory: around('makeDirectory', (path, mode) => disk.makeDirectory(path, mode)),
  create: around('create', async (path, mode) => file(await disk.create(path, mode))),
  openToAppend: around('openToAppend', async path => file(await disk.openToAppend(path))),
  rename: around('rename', (from, to) => disk.rename(from, to)),
  remove: around('remove', path => disk.remove(path)),
  syncDirectory: around('syncDirectory', path => disk.syncDirectory(path)),
})

/** The same file with every operation surrounded; `others` replaces some of them. */
export const wrappedFile = (file: DiskFile, around: Around, others: Partial<DiskFile> = {}): DiskFile => ({
  write: around('write', bytes => file.write(bytes)),
  appendDurably: around('appendDurably', bytes => file.appendDurably(bytes)),
  sync: around('sync', () => file.sync()),
  truncate: around('truncate', size => file.truncate(size)),
  close: around('close', () => file.close()),
  ...others,
})
