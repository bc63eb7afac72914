import { outcomeText } from '@kron/core'
import type { OutcomeRecord } from '../api/records.ts'
import { Badge } from '../components/badge.tsx'
import { isOther, type Zones } from '../components/moment.tsx'
import { Loading, Notice } from '../components/notice.tsx'
import { clockText, durationText, momentText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { jobRoute } from '../route.ts'

/** Pixels. */
const LONGEST_BAR = 48

interface HistoryProps extends Zones {
  readonly outcomes: readonly OutcomeRecord[] | undefined
  /** The run on show. */
  readonly run: string | undefined
}

/** The outcomes of a job's periods, newest first. */
export function History({ outcomes, zone, yours, run }: HistoryProps) {
  if (outcomes === undefined) return <Loading />
  const longest = Math.max(1, ...outcomes.map(each => each.durationMs ?? 0))
  const newest = secondsOf(outcomes[0]?.completedAt)
  const other = newest !== undefined && isOther(newest, zone, yours)
  return (
    <article class="panel" aria-label="History">
      <h2>History</h2>
      {outcomes.length === 0 ? (
        <Notice title="Nothing yet">
          No period of this job has reached an outcome since krond first saw it.
        </Notice>
      ) : (
        <div class="scroll-x">
          <table class="history">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col">time in {zone}</th>
                {other && <th scope="col">your time ({yours})</th>}
                <th scope="col">ran for</th>
                <th scope="col">how it ended</th>
                <th scope="col">
                  <span class="sr">details</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {outcomes.map(each => (
                <Row
                  key={each.runId ?? each.periodId}
                  record={each}
                  zone={zone}
                  yours={other ? yours : undefined}
                  longest={longest}
                  current={each.runId !== null && each.runId === run}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </article>
  )
}

interface RowProps {
  readonly record: OutcomeRecord
  readonly zone: string
  readonly yours: string | undefined
  readonly longest: number
  readonly current: boolean
}

function Row({ record, zone, yours, longest, current }: RowProps) {
  const { identity, kind, durationMs, runId, periodId, trigger } = record
  const at = secondsOf(record.startedAt ?? record.chosenTime ?? record.completedAt) ?? 0
  return (
    <tr class={current ? 'current' : ''}>
      <td>
        <Badge kind={kind} />
      </td>
      <td>{momentText(at, zone)}</td>
      {yours !== undefined && <td>{clockText(at, yours)}</td>}
      <td>
        {durationMs !== null && (
          <span class="duration">
            <i style={{ width: `${(durationMs / longest) * LONGEST_BAR}px` }} />
            {durationText(durationMs)}
          </span>
        )}
      </td>
      <td>
        {outcomeText(record)}
        {record.example === true && (
          <strong class="example" title="Made up for the demonstration: nothing ran">
            {' '}
            example
          </strong>
        )}
        {trigger === 'manual' && <span class="faint"> (by hand)</span>}
      </td>
      <td class="links">
        {runId !== null && <a href={jobRoute(identity, { run: runId })}>output</a>}{' '}
        {periodId !== null && <a href={jobRoute(identity, { why: periodId })}>why then?</a>}
      </td>
    </tr>
  )
}
