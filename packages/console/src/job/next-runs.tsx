import { printInstant, upcoming } from '@kron/core'
import type { JobDetail } from '../api/records.ts'
import { Badge } from '../components/badge.tsx'
import { Moment, type Zones } from '../components/moment.tsx'
import { clockText, type ZoneName } from '../model/format.ts'
import { pauseEffect } from '../model/paused-job.ts'
import { jobOf } from '../model/periods.ts'
import { jobRoute } from '../route.ts'

const NEXT = 8

interface NextRun {
  readonly periodId: string
  readonly chosen: number | null
  readonly windowStart: number
  readonly windowEnd: number
}

/** Computed here: the engine is the same, and so is the answer. */
function nextPeriods({ identity, schedule }: JobDetail, now: number): NextRun[] {
  const job = jobOf(identity, schedule)
  if (job === undefined) return []
  const next: NextRun[] = []
  for (const { nominal, chosen, windowStart, windowEnd } of upcoming(job, now + 1)) {
    next.push({ periodId: printInstant(nominal), chosen, windowStart, windowEnd })
    if (next.length === NEXT) break
  }
  return next
}

/** The next runs; each leads to the explanation of its second. */
export function NextRuns({ job, why, ...zones }: Zones & { job: JobDetail; why: string | undefined }) {
  const next = job.policy.suspend ? [] : nextPeriods(job, zones.now)
  return (
    <article class="panel" aria-label="Next runs">
      <h2>Next runs</h2>
      {next.length === 0 && (
        <p class="faint">
          {job.policy.suspend ? 'None: its job file suspends it.' : 'The schedule has no further period.'}
        </p>
      )}
      <ol class="next">
        {next.map(each => (
          <li key={each.periodId}>
            <a
              href={jobRoute(job.identity, { why: each.periodId })}
              aria-current={each.periodId === why ? 'true' : undefined}
              title={windowText(each, zones.zone)}
            >
              <Run
                run={each}
                effect={each.chosen === null ? undefined : pauseEffect(job, each.chosen)}
                {...zones}
              />
            </a>
          </li>
        ))}
      </ol>
    </article>
  )
}

function Run({ run: { chosen }, effect, ...zones }: Zones & { run: NextRun; effect: string | undefined }) {
  if (chosen === null) return <Badge kind="unschedulable" />
  return (
    <>
      <Moment at={chosen} {...zones} />
      {effect !== undefined && <span class="faint">{effect}</span>}
    </>
  )
}

const windowText = ({ windowStart, windowEnd }: NextRun, zone: ZoneName): string =>
  windowEnd > windowStart
    ? `Why then? Its window is ${clockText(windowStart, zone)} to ${clockText(windowEnd, zone)} (${zone})`
    : 'Why then? It has no window.'
