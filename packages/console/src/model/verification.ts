import { type ExplanationRecord, explain, explanationRecordOf } from '@kron/core'
import { secondsOf } from './instant.ts'
import { jobOf } from './periods.ts'

/** Whether this browser, with the same engine, gets the same result as the daemon. */
export type Verification =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly fields: readonly string[] }
  | { readonly kind: 'unreadable' }

export function verify(answer: ExplanationRecord, schedule: string): Verification {
  const job = jobOf(answer.identity, schedule)
  const nominal = secondsOf(answer.nominalTime)
  if (job === undefined || nominal === undefined) return { kind: 'unreadable' }
  const own = explanationRecordOf(explain(job, nominal))
  const differs = (field: keyof ExplanationRecord): boolean =>
    JSON.stringify(own[field]) !== JSON.stringify(answer[field])
  const fields = (Object.keys(own) as (keyof ExplanationRecord)[]).filter(
    field => field !== 'zoneData' && differs(field),
  )
  // Different zone data alone do not count as a difference, but they may explain one.
  if (fields.length > 0 && differs('zoneData')) fields.push('zoneData')
  return fields.length === 0 ? { kind: 'same' } : { kind: 'differs', fields }
}
