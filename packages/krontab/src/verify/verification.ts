import type { Difference } from '@kron/core'

export interface Mismatch {
  readonly identity: string
  readonly periodId: string
  /** `file:line` of a log, or the state directory. */
  readonly where: string
  readonly differences: readonly Difference[]
}

/** The results of the verification so far. */
export interface Verification {
  checked: number
  readonly mismatches: Mismatch[]
  /** Decisions that exist but cannot be recomputed. */
  readonly unreadable: { readonly where: string; readonly why: string }[]
  /** Identities that have a state, but whose job is in no file any more. */
  readonly withoutDefinition: string[]
}

export const emptyVerification = (): Verification => ({
  checked: 0,
  mismatches: [],
  unreadable: [],
  withoutDefinition: [],
})
