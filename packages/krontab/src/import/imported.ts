import type { Remark } from '@kron/cli'
import type { Original } from './equivalence/original.ts'
import type { Run } from './shell.ts'
import type { Timing } from './timing.ts'

/** One entry to be: everything of a job-file line but its unique name. */
export interface ImportedJob extends Run {
  readonly file: string
  /** Where it stands in its source, from 1. */
  readonly line: number
  /** What the entry would like to be called; several may like the same. */
  readonly wish: string
  readonly timing: Timing
  readonly settings: readonly Setting[]
  /** The schedule as the source has it, for the comparison. */
  readonly original: Original
}

/** A `key=value` of the line, in the order in which they are written. */
export type Setting = readonly [key: string, value: string]

/** A piece of the file to be written, in the order of the source. */
export type Piece =
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'remark'; readonly remark: Remark }
  | { readonly kind: 'job'; readonly job: ImportedJob }

/** What one source file has become. */
export interface Conversion {
  readonly file: string
  readonly pieces: readonly Piece[]
}
