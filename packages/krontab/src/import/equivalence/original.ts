import { compareStarts, type Equivalence, type Job } from '@kron/core'
import { calendarStarts } from './systemd.ts'
import { cronStarts } from './vixie.ts'

/** A schedule in the syntax of its source. */
export type Original =
  | {
      readonly kind: 'cron'
      readonly fields: readonly string[]
      readonly macro: boolean
      readonly zone: string
    }
  | { readonly kind: 'calendar'; readonly expression: string; readonly zone: string }

/** The starts of the original, read again from its text by the rules of the original program. */
export function startsOf(original: Original, after: number, until: number): Generator<number, void, void> {
  const { zone } = original
  switch (original.kind) {
    case 'cron':
      return cronStarts(original.fields, original.macro, zone, after, until)
    case 'calendar':
      return calendarStarts(original.expression, zone, after, until)
  }
}

export const nameOfOriginal = ({ kind }: Original): string => ({ cron: 'cron', calendar: 'systemd' })[kind]

/** Compares an imported job with its original. */
export const compare = (job: Job, original: Original, from: number): Equivalence =>
  compareStarts(
    job,
    { zone: original.zone, starts: (after, until) => startsOf(original, after, until) },
    from,
  )
