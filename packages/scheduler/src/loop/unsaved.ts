/** How a run ended, until the store has it. */
export type End =
  | { readonly kind: 'success'; readonly endedAt: number }
  | {
      readonly kind: 'failure'
      readonly endedAt: number
      readonly error: unknown
      readonly pendingRetryUntil: number
    }

/** What the store does not know yet of a task: how its run ended, or merely that its record is another. */
export type Unsaved = End | { readonly kind: 'amended' }

export const AMENDED: Unsaved = { kind: 'amended' }
