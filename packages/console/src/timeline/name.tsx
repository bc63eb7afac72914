import { OUTCOME_STYLES } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { Dot } from '../components/badge.tsx'
import { momentText, relativeText, spanText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { nextStart } from '../model/next-start.ts'
import type { World } from '../model/world.ts'
import { jobRoute } from '../route.ts'
import type { Mark } from './marks.ts'

interface NameProps {
  readonly job: JobRecord
  readonly world: World
  readonly zone: ZoneName
  readonly top: number
  readonly selected: boolean
  /** The mark of this row that was reached by keyboard: Enter opens it. */
  readonly mark: Mark | undefined
  readonly onFocus: () => void
}

/** The head of a row: how the job ended last, its name, when it starts next. */
export function Name({ job, world, zone, top, selected, mark, onFocus }: NameProps) {
  const next = nextStart(job, world.now())
  const last = world.lastOf(job)
  const stopped = job.pause === null ? 'suspended' : 'paused'
  const about = job.suspended
    ? stopped
    : next === undefined
      ? 'nothing planned'
      : relativeText(next, world.now())
  const lastText =
    last === null
      ? 'never ran'
      : `last ${OUTCOME_STYLES[last.kind].word} ${momentText(secondsOf(last.at) ?? 0, zone)}`
  return (
    <li style={{ top: `${top}px` }} class={selected ? 'selected' : ''}>
      <a
        href={mark?.href ?? jobRoute(job.identity)}
        data-identity={job.identity}
        onFocus={onFocus}
        title={`${job.identity}\n${job.schedule}`}
      >
        <Dot kind={last?.kind} title={lastText} />
        <span class="name">{job.name}</span>
        <span class="next-start faint" aria-hidden="true">
          {job.suspended ? stopped : next === undefined ? '' : spanText(next - world.now())}
        </span>
        <span class="sr">
          , {lastText}, {about}
        </span>
      </a>
    </li>
  )
}
