import { type Decision, nextDecisions, printInstant } from '@kron/core'
import type { JobDetail } from '../api/records.ts'
import { Badge } from '../components/badge.tsx'
import { Moment, type Zones } from '../components/moment.tsx'
import { clockText, type ZoneName } from '../model/format.ts'
import { pauseEffect } from '../model/paused-job.ts'
import { jobOf } from '../model/periods.ts'
import { jobRoute } from '../route.ts'

const NEXT = 8

/** The next runs; each leads to the explanation of its second. */
export function NextRuns({ job, why, ...zones }: Zones & { job: JobDetail; why: string | undefined }) {
  // Computed here: the engine is the same, and so is the answer.
  const parsed = job.policy.suspend ? undefined : jobOf(job.identity, job.schedule)
  const next = parsed === undefined ? [] : nextDecisions(parsed, zones.now + 1, NEXT)
  return (
    <article class="panel" aria-label="Next runs">
      <h2>Next runs</h2>
      {next.length === 0 && (
        <p class="faint">
          {job.policy.suspend ? 'None: its job file suspends it.' : 'The schedule has no further period.'}
        </p>
      )}
      <ol class="next">
        {next.map(each => {
          const periodId = printInstant(each.nominal)
          return (
            <li key={periodId}>
              <a
                href={jobRoute(job.identity, { why: periodId })}
                aria-current={periodId === why ? 'true' : undefined}
                title={windowText(each, zones.zone)}
              >
                <Run
                  run={each}
                  effect={each.chosen === null ? undefined : pauseEffect(job, each.chosen)}
                  {...zones}
                />
              </a>
            </li>
          )
        })}
      </ol>
    </article>
  )
}

function Run({ run: { chosen }, effect, ...zones }: Zones & { run: Decision; effect: string | undefined }) {
  if (chosen === null) return <Badge kind="unschedulable" />
  return (
    <>
      <Moment at={chosen} {...zones} />
      {effect !== undefined && <span class="faint">{effect}</span>}
    </>
  )
}

const windowText = ({ windowStart, windowEnd }: Decision, zone: ZoneName): string =>
  windowEnd > windowStart
    ? `Why then? Its window is ${clockText(windowStart, zone)} to ${clockText(windowEnd, zone)} (${zone})`
    : 'Why then? It has no window.'
