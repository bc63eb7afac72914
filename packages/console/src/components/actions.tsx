import { AFTER_A_PAUSE } from '@kron/core'
import { useMemo, useRef, useState } from 'preact/hooks'
import { jobPath, post } from '../api/client.ts'
import type {
  JobDetail,
  PauseResult,
  ReloadResult,
  ResumeResult,
  TriggerRequest,
  TriggerResult,
} from '../api/records.ts'
import { useWorld } from '../context.ts'
import { clockText, countText, localZone, momentText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { Confirm } from './confirm.tsx'

type Action = 'trigger' | 'pause' | 'resume' | 'reload'

/** Trigger, pause and resume of one job. */
export function JobActions({ job }: { readonly job: JobDetail }) {
  const [action, setAction] = useState<Action>()
  const common = { allowed: job.mayAct, onClose: () => setAction(undefined) }
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => setAction('trigger')}>
        ▶ Run now
      </button>
      <button type="button" onClick={() => setAction('pause')}>
        Pause…
      </button>
      {job.pauses.length > 0 && (
        <button type="button" onClick={() => setAction('resume')}>
          Resume
        </button>
      )}
      {action === 'trigger' && <Trigger {...common} job={job} />}
      {action === 'pause' && <Pause {...common} path={jobPath(job.identity, '/pause')} what={job.name} />}
      {action === 'resume' && <Resume {...common} path={jobPath(job.identity, '/resume')} what={job.name} />}
    </div>
  )
}

/** Reload, and pause and resume of everything. */
export function DaemonActions({ paused }: { readonly paused: boolean }) {
  const world = useWorld()
  const [action, setAction] = useState<Action>()
  const onClose = (): void => setAction(undefined)
  const mayAct = world.viewer?.mayAct ?? false
  return (
    <div class="actions">
      <button type="button" onClick={() => setAction('reload')}>
        Reload job files
      </button>
      <button type="button" onClick={() => setAction('pause')}>
        Pause all…
      </button>
      {paused && (
        <button type="button" onClick={() => setAction('resume')}>
          Resume all
        </button>
      )}
      {action === 'reload' && <Reload allowed={world.viewer?.mayReload ?? false} onClose={onClose} />}
      {action === 'pause' && <Pause allowed={mayAct} onClose={onClose} path="pause" what="all jobs" />}
      {action === 'resume' && <Resume allowed={mayAct} onClose={onClose} path="resume" what="all jobs" />}
    </div>
  )
}

interface ActionProps {
  readonly allowed: boolean
  readonly onClose: () => void
}

/** The same id for every try: krond runs a repeated request at most once. */
function Trigger({ job, ...common }: ActionProps & { readonly job: JobDetail }) {
  const request = useMemo<TriggerRequest>(() => ({ requestId: randomId() }), [])
  const act = async (): Promise<string> => {
    const { pid, startedAt } = await post<TriggerResult>(jobPath(job.identity, '/trigger'), request)
    return `Started at ${clockText(secondsOf(startedAt) ?? 0, localZone())} (${localZone()}) as process ${pid}.`
  }
  return (
    <Confirm {...common} title={`Run ${job.name} now?`} verb="Run now" act={act}>
      <p>
        It runs in addition to its schedule: no period is used up. Its policy for concurrent runs (
        {job.policy.concurrency}) applies.
      </p>
    </Confirm>
  )
}

const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

function Pause({ path, what, ...common }: ActionProps & { readonly path: string; readonly what: string }) {
  const world = useWorld()
  const from = useRef<HTMLInputElement>(null)
  const until = useRef<HTMLInputElement>(null)
  const reason = useRef<HTMLInputElement>(null)
  const act = async (): Promise<string> => {
    const { pause, periods } = await post<PauseResult>(path, {
      ...timeIn(from.current, 'from'),
      ...timeIn(until.current, 'until'),
      ...(reason.current?.value ? { reason: reason.current.value } : {}),
    })
    await world.reload()
    const begin = secondsOf(pause.from) ?? 0
    const start = begin > world.now() ? `Planned from ${inYourZone(begin)}` : 'Paused'
    const end =
      pause.until === null ? 'until somebody resumes it' : `until ${inYourZone(secondsOf(pause.until) ?? 0)}`
    return `${start} ${end}.${periods === null ? '' : ` ${countText(periods)} ${periods === 1 ? 'period' : 'periods'} will not run.`}`
  }
  return (
    <Confirm {...common} title={`Pause ${what}?`} verb="Pause" act={act}>
      <p>While a pause lasts, nothing starts. A run that is under way goes on. {AFTER_A_PAUSE}</p>
      <label class="field">
        <span>From, in {localZone()} (empty: now)</span>
        <input ref={from} type="datetime-local" />
      </label>
      <label class="field">
        <span>Until, in {localZone()} (empty: until somebody resumes it)</span>
        <input ref={until} type="datetime-local" />
      </label>
      <label class="field">
        <span>Reason, for those who look later</span>
        <input ref={reason} maxLength={200} />
      </label>
    </Confirm>
  )
}

function timeIn(field: HTMLInputElement | null, key: 'from' | 'until'): Record<string, string> {
  if (!field?.value) return {}
  return { [key]: new Date(field.value).toISOString().replace(/\.\d+Z$/, 'Z') }
}

const inYourZone = (at: number): string => `${momentText(at, localZone())} (${localZone()})`

function Resume({ path, what, ...common }: ActionProps & { readonly path: string; readonly what: string }) {
  const world = useWorld()
  const act = async (): Promise<string> => {
    const { ended } = await post<ResumeResult>(path)
    await world.reload()
    return `Resumed: ${ended} ${ended === 1 ? 'pause' : 'pauses'} ended.`
  }
  return (
    <Confirm {...common} title={`Resume ${what}?`} verb="Resume" act={act}>
      <p>
        All pauses of {what} end, planned ones too. {AFTER_A_PAUSE}
      </p>
    </Confirm>
  )
}

function Reload(common: ActionProps) {
  const world = useWorld()
  const act = async (): Promise<string> => {
    const result = await post<ReloadResult>('reload')
    await world.reload()
    if (result.kind === 'refused')
      throw new Error(`the job files have mistakes.\n${result.mistakes.join('\n')}`)
    const { added, changed, removed, unchanged } = result.changes
    return `Reloaded: ${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged.`
  }
  return (
    <Confirm {...common} title="Reload the job files?" verb="Reload" act={act}>
      <p>
        krond reads its job files anew. If one has mistakes, the reload is refused and everything stays as it
        is.
      </p>
    </Confirm>
  )
}
