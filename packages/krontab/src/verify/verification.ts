import type { Difference } from '@kron/core'

export interface Mismatch {
  readonly identity: string
  readonly periodId: string
  /** `file:line` of a log, or the state directory. */
  readonly where: string
  readonly differences: readonly Difference[]
}

/** What verifying has found so far. */
export interface Verification {
  checked: number
  readonly mismatches: Mismatch[]
  /** Decisions that are there and cannot be recomputed. */
  readonly unreadable: { readonly where: string; readonly why: string }[]
  /** Identities whose state is there and whose job is in no file any more. */
  readonly withoutDefinition: string[]
}

export const emptyVerification = (): Verification => ({
  checked: 0,
  mismatches: [],
  unreadable: [],
  withoutDefinition: [],
})
