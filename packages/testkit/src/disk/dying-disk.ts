import type { Disk, DiskFile } from '@kron/runtime'
import { type Around, wrappedDisk, wrappedFile } from './wrapped-disk.ts'

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
  const around: Around =
    (_, act) =>
    (...values) =>
      step(() => act(...values))
  const file = (inner: DiskFile): DiskFile =>
    wrappedFile(inner, around, {
      // The machine may die after the first of the two halves.
      appendDurably: async bytes => {
        await step(() => inner.write(bytes))
        await step(() => inner.sync())
      },
    })
  return { died: () => operations >= lastOperation, disk: wrappedDisk(disk, around, file) }
}
