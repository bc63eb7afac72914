import type { OutcomeRecord } from '../api/records.ts'
import { clockText, momentText, spanText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { reasonText } from '../model/outcome.ts'
import { jobRoute } from '../route.ts'
import { OutcomeBadge } from './badge.tsx'
import { Loading, Notice } from './notice.tsx'

/** Pixels. */
const LONGEST_BAR = 60

/** What became of a job's periods, newest first. */
export function History(props: {
  outcomes: readonly OutcomeRecord[] | undefined
  zone: ZoneName
  period: string | undefined
}) {
  const { outcomes, zone, period } = props
  if (outcomes === undefined) return <Loading />
  const longest = Math.max(1, ...outcomes.map(durationOf))
  return (
    <article class="panel">
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
                <th scope="col">period</th>
                <th scope="col">outcome</th>
                <th scope="col">started</th>
                <th scope="col">ran for</th>
                <th scope="col">how it ended</th>
              </tr>
            </thead>
            <tbody>
              {outcomes.map(each => (
                <tr key={each.periodId} class={each.periodId === period ? 'current' : ''}>
                  <td>
                    <a href={jobRoute(each.identity, each.periodId)}>
                      {momentText(secondsOf(each.periodId) ?? 0, zone)}
                    </a>
                  </td>
                  <td>
                    <OutcomeBadge record={each} />
                  </td>
                  <td>{each.startedAt === null ? '' : clockText(secondsOf(each.startedAt) ?? 0, zone)}</td>
                  <td>
                    {each.startedAt !== null && (
                      <span class="duration">
                        <i style={{ width: `${(durationOf(each) / longest) * LONGEST_BAR}px` }} />
                        {durationOf(each) === 0 ? '< 1s' : spanText(durationOf(each))}
                      </span>
                    )}
                  </td>
                  <td>{reasonText(each)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </article>
  )
}

const durationOf = ({ startedAt, completedAt }: OutcomeRecord): number =>
  startedAt === null ? 0 : Math.max(0, (secondsOf(completedAt) ?? 0) - (secondsOf(startedAt) ?? 0))
