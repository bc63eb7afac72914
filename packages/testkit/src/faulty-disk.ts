import type { Disk, DiskFile } from '@kron/runtime'

export interface Fault {
  readonly operation: keyof Disk | keyof DiskFile
  readonly code: string
  /** The number of the call that fails, counted from 1. */
  readonly call: number
  /** The number of bytes that reach the disk although the write fails. */
  readonly written?: number
}

/** A disk whose operations fail on demand, to test the handling of failures. */
export function faultyDisk(disk: Disk, faults: readonly Fault[]): Disk {
  const calls = new Map<string, number>()
  const faultOf = (operation: Fault['operation']): Fault | undefined => {
    const call = (calls.get(operation) ?? 0) + 1
    calls.set(operation, call)
    return faults.find(fault => fault.operation === operation && fault.call === call)
  }
  const guard =
    <Arguments extends unknown[], Result>(
      operation: Fault['operation'],
      act: (...values: Arguments) => Promise<Result>,
    ) =>
    async (...values: Arguments): Promise<Result> => {
      const fault = faultOf(operation)
      if (fault !== undefined) throw errnoError(fault.code)
      return act(...values)
    }
  const writing =
    (operation: 'write' | 'appendDurably', act: (bytes: Uint8Array) => Promise<void>) =>
    async (bytes: Uint8Array): Promise<void> => {
      const fault = faultOf(operation)
      if (fault === undefined) return act(bytes)
      if (fault.written) await act(bytes.subarray(0, fault.written))
      throw errnoError(fault.code)
    }
  const faultyFile = (file: DiskFile): DiskFile => ({
    write: writing('write', bytes => file.write(bytes)),
    appendDurably: writing('appendDurably', bytes => file.appendDurably(bytes)),
    sync: guard('sync', () => file.sync()),
    truncate: guard('truncate', size => file.truncate(size)),
    close: guard('close', () => file.close()),
  })
  return {
    read: guard('read', path => disk.read(path)),
    stat: guard('stat', path => disk.stat(path)),
    list: guard('list', path => disk.list(path)),
    makeDirectory: guard('makeDirectory', (path, mode) => disk.makeDirectory(path, mode)),
    create: guard('create', async (path, mode) => faultyFile(await disk.create(path, mode))),
    openToAppend: guard('openToAppend', async path => faultyFile(await disk.openToAppend(path))),
    rename: guard('rename', (from, to) => disk.rename(from, to)),
    remove: guard('remove', path => disk.remove(path)),
    syncDirectory: guard('syncDirectory', path => disk.syncDirectory(path)),
  }
}

const errnoError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code })
