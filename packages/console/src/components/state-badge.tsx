import type { OutcomeKind } from '@kron/core'
import type { JobState } from '../model/job-state.ts'
import { Badge } from './badge.tsx'

interface StateBadgeProps {
  readonly state: JobState
  /** The last outcome. */
  readonly last: OutcomeKind | undefined
}

/** The state of a job: running, paused, or how it ended last. */
export function StateBadge({ state, last }: StateBadgeProps) {
  if (state === 'running') return <Badge kind="running" />
  if (state === 'paused' || state === 'suspended')
    return (
      <span class="badge">
        <span aria-hidden="true">‖</span> {state}
      </span>
    )
  if (last === undefined) return <span class="badge">no run yet</span>
  return <Badge kind={last} />
}
