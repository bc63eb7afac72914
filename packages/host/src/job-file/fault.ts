import { type ConfigurationError, errorOf, type Fault, type Place, type ValidationError } from '@kron/core'
import type { Entry } from './entry.ts'

/** A fault of a job file: `at` counts from the start of its line. */
export interface LineFault extends Fault {
  /** From 1. */
  readonly line: number
  /** The whole line, for the caret under it. */
  readonly source: string
}

/** The place of an entry, for a mistake that is found after its line was read. */
export const entryPlace = ({ path, line }: Pick<Entry, 'path' | 'line'>): Place => ({
  file: path,
  line,
  column: 1,
  length: 0,
  source: '',
})

/** Turns a fault of the file at `file` into an error, to be thrown or logged. */
export const jobFileError = (
  fault: LineFault,
  file: string,
  operation: 'parse job file' | 'parse crontab' = 'parse job file',
): ConfigurationError | ValidationError =>
  errorOf(fault, {
    component: 'krontab',
    operation,
    source: fault.source,
    file,
    line: fault.line,
  })
