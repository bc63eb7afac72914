import { constants } from 'node:os'
import type { RunEnd } from '@kron/host'

/** The exit status a shell would show. */
export function exitStatus(end: Pick<RunEnd, 'exitCode' | 'signal'> | undefined): number {
  if (end === undefined) return 1
  return end.exitCode ?? 128 + (constants.signals[end.signal as NodeJS.Signals] ?? 0)
}
