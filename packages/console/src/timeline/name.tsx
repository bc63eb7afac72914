import type { JobRecord } from '../api/records.ts'
import { momentText, relativeText, spanText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { nextStart } from '../model/next-start.ts'
import { type Appearance, GLYPHS, LABELS } from '../model/outcome.ts'
import type { World } from '../model/world.ts'
import { jobRoute } from '../route.ts'

interface NameProps {
  readonly job: JobRecord
  readonly world: World
  readonly zone: ZoneName
  readonly top: number
  readonly selected: boolean
  readonly onFocus: () => void
}

/** The head of a row: how the job ended last, its name, when it starts next. */
export function Name({ job, world, zone, top, selected, onFocus }: NameProps) {
  const next = nextStart(job, world.now())
  const last = world.lastOf(job)
  const state: Appearance | undefined =
    last === null
      ? undefined
      : last.failed
        ? 'failed'
        : last.outcome === 'executed'
          ? 'succeeded'
          : last.outcome
  const about = job.suspended
    ? 'suspended'
    : next === undefined
      ? 'nothing planned'
      : relativeText(next, world.now())
  const lastText =
    state === undefined ? 'never ran' : `last ${LABELS[state]} ${momentText(secondsOf(last?.at) ?? 0, zone)}`
  return (
    <li style={{ top: `${top}px` }} class={selected ? 'selected' : ''}>
      <a
        href={jobRoute(job.identity)}
        data-identity={job.identity}
        onFocus={onFocus}
        title={`${job.identity}\n${job.schedule}`}
      >
        <span class={`dot ${state ?? 'none'}`} aria-hidden="true" title={lastText}>
          {state === undefined ? '·' : GLYPHS[state]}
        </span>
        <span class="name">{job.name}</span>
        <span class="next-start faint" aria-hidden="true">
          {job.suspended ? 'suspended' : next === undefined ? '' : spanText(next - world.now())}
        </span>
        <span class="sr">
          , {lastText}, {about}
        </span>
      </a>
    </li>
  )
}
