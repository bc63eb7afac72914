import type { Disk, DiskFile } from '@kron/runtime'

const dead = () => Object.assign(new Error('EIO: the machine is dead'), { code: 'EIO' })

/** A disk of a machine that dies at the given operation: that operation begins, and none follows. */
export function dyingDisk(
  disk: Disk,
  lastOperation: number,
): { readonly disk: Disk; readonly died: () => boolean } {
  let operations = 0
  const step = async <T>(act: () => Promise<T>): Promise<T> => {
    if (++operations > lastOperation) throw dead()
    const result = await act()
    if (operations === lastOperation) throw dead()
    return result
  }
  const file = (inner: DiskFile): DiskFile => ({
    write: bytes => step(() => inner.write(bytes)),
    sync: () => step(() => inner.sync()),
    // The machine may die after the first of the two halves.
    appendDurably: async bytes => {
      await step(() => inner.write(bytes))
      await step(() => inner.sync())
    },
    truncate: size => step(() => inner.truncate(size)),
    close: () => step(() => inner.close()),
  })
  return {
    died: () => operations >= lastOperation,
    disk: {
      read: path => step(() => disk.read(path)),
      stat: path => step(() => disk.stat(path)),
      list: path => step(() => disk.list(path)),
      makeDirectory: (path, mode) => step(() => disk.makeDirectory(path, mode)),
      create: (path, mode) => step(async () => file(await disk.create(path, mode))),
      openToAppend: path => step(async () => file(await disk.openToAppend(path))),
      rename: (from, to) => step(() => disk.rename(from, to)),
      remove: path => step(() => disk.remove(path)),
      syncDirectory: path => step(() => disk.syncDirectory(path)),
    },
  }
}
