import { IncompatibleStateError, type KronError, PersistenceError, SystemError } from '@kron/core'

export type ExitCode = 0 | 1 | 2 | 3 | 4

/** The exit code of a daemon that could not start. */
export function exitCodeOf(error: KronError): ExitCode {
  if (error instanceof SystemError && error.component === 'lock') return 3
  return error instanceof IncompatibleStateError || error instanceof PersistenceError ? 2 : 1
}

/** The exit code of a daemon that had to end because of an error. */
export const FAILED: ExitCode = 4
