import type { Disk, DiskFile } from '@kron/runtime'
import { type Around, wrappedDisk, wrappedFile } from './wrapped-disk.ts'

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
  const guard: Around =
    (operation, act) =>
    async (...values) => {
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
  const faultyFile = (file: DiskFile): DiskFile =>
    wrappedFile(file, guard, {
      write: writing('write', bytes => file.write(bytes)),
      appendDurably: writing('appendDurably', bytes => file.appendDurably(bytes)),
    })
  return wrappedDisk(disk, guard, faultyFile)
}

const errnoError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code })
