import { type Balanceable, balance, baseOf, leastPeak, loadOf } from '@kron/core'
import { useState } from 'preact/hooks'
import type { JobRecord } from '../api/records.ts'
import { Figure } from '../components/figure.tsx'
import { countText } from '../model/format.ts'
import { jobOf } from '../model/periods.ts'

/** More jobs than this take a browser too long. */
const MOST_JOBS = 2_000

interface Suggestion {
  readonly now: number
  readonly reachable: number
  readonly least: number
  readonly changes: number
}

export interface BalanceProps {
  readonly jobs: readonly JobRecord[]
  readonly from: number
  readonly seconds: number
  readonly bucket: { readonly value: string; readonly seconds: number; readonly name: string }
  /** How far to look ahead, as a duration for the command. */
  readonly time: string
}

/** How much lower the peak could be with other salts, and the command that writes them. */
export function BalanceSuggestion({ jobs, from, seconds, bucket, time }: BalanceProps) {
  const [suggestion, setSuggestion] = useState<Suggestion>()
  if (jobs.length === 0 || jobs.length > MOST_JOBS) return null
  const compute = (): void =>
    setSuggestion(suggest(jobs, { from, to: from + seconds, bucket: bucket.seconds }))
  const command = `krontab balance --for ${time} --bucket ${bucket.value}`
  return (
    <section class="balance" aria-label="Balance">
      <h2>Balance</h2>
      {suggestion === undefined ? (
        <p>
          Windows leave a choice, and a salt makes it.{' '}
          <button type="button" onClick={compute}>
            How low could the peak be?
          </button>
        </p>
      ) : (
        <>
          <div class="figures">
            <Figure label="peak now" value={countText(suggestion.now)} note={`starts per ${bucket.name}`} />
            <Figure
              label="peak reachable"
              value={countText(suggestion.reachable)}
              note={
                suggestion.changes === 0
                  ? 'other salts would not lower it'
                  : `with ${countText(suggestion.changes)} other salts`
              }
              accent
            />
            <Figure
              label="bound"
              value={countText(suggestion.least)}
              note="no choice of salts with as many starts can beat it"
            />
          </div>
          {suggestion.changes > 0 && (
            <p>
              <code>{command}</code> shows the salts; with <code>--write</code> it puts them into the job
              files.
            </p>
          )}
        </>
      )}
    </section>
  )
}

function suggest(
  jobs: readonly JobRecord[],
  span: { readonly from: number; readonly to: number; readonly bucket: number },
): Suggestion {
  const balanceable = jobs.flatMap(({ identity, schedule }): Balanceable[] => {
    const job = jobOf(identity, schedule)
    if (job === undefined) return []
    const { salt } = job.schedule.seed
    return [{ job, written: salt, base: baseOf(salt) }]
  })
  const result = balance(balanceable, written => [written], span)
  return {
    now: loadOf(result.before).peak,
    reachable: loadOf(result.after).peak,
    least: leastPeak(result),
    changes: result.salts.filter((salt, i) => salt !== balanceable[i]!.written).length,
  }
}
