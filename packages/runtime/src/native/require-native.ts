import { SystemError } from '@kron/core'
import { koffi } from './native.ts'

/** Throws a `SystemError` if the C library cannot be called on this platform. */
export function requireNative(purpose: string): void {
  try {
    koffi()
  } catch (cause) {
    throw new SystemError(
      `cannot ${purpose} on ${process.platform}-${process.arch}: ${(cause as Error).message}`,
      { component: 'runtime', operation: 'load', hint: 'koffi has no build for this platform', cause },
    )
  }
}
