import type { Remark } from '@kron/cli'
import type { Conditions } from './equivalence/conditions.ts'
import type { Original } from './equivalence/original.ts'
import type { Run } from './shell.ts'
import type { Timing } from './timing.ts'

/** A future entry: everything of a job-file line except its unique name. */
export interface ImportedJob extends Run {
  readonly file: string
  /** The number of its line in the source, from 1. */
  readonly line: number
  /** The preferred name of the entry; several entries may prefer the same. */
  readonly wish: string
  readonly timing: Timing
  readonly settings: readonly Setting[]
  /** The schedule in the syntax of the source, for the comparison. */
  readonly original: Original
  /** How the source runs the command, for the comparison. */
  readonly conditions: Conditions
}

/** A `key=value` of the line, in the order in which they are written. */
export type Setting = readonly [key: string, value: string]

/** A part of the file to be written, in the order of the source. */
export type Piece =
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'remark'; readonly remark: Remark }
  | { readonly kind: 'job'; readonly job: ImportedJob }

/** The result of converting one source file. */
export interface Conversion {
  readonly file: string
  readonly pieces: readonly Piece[]
}
