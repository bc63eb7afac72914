import { outcomeText } from '@kron/core'
import type { OutcomeRecord, RunningRecord } from '../api/records.ts'
import { Badge } from '../components/badge.tsx'
import { Moment, type Zones } from '../components/moment.tsx'
import { bytesText, durationText, spanText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { jobRoute } from '../route.ts'
import { RunOutput } from './run-output.tsx'

/** A run that is over: how it ended, what it used, and its output. */
export function EndedRun({ title, record, ...zones }: Zones & { title: string; record: OutcomeRecord }) {
  const { identity, kind, startedAt, runId, periodId } = record
  const at = secondsOf(startedAt ?? record.completedAt) ?? 0
  return (
    <article class="panel run" aria-label={title}>
      <header>
        <h2>{title}</h2> <Badge kind={kind} />
        <span>{outcomeText(record)}</span>
        {periodId !== null && (
          <a
            class="end"
            href={jobRoute(identity, { ...(runId === null ? {} : { run: runId }), why: periodId })}
          >
            Why then?
          </a>
        )}
      </header>
      <p class="run-facts">
        <Moment at={at} {...zones} />
        <span class="faint">{usedText(record)}</span>
      </p>
      {runId !== null && <RunOutput identity={identity} runId={runId} running={false} />}
    </article>
  )
}

/** `ran for 3.1s · 0.4s CPU · 12 MiB memory · started by hand`, as far as it is known. */
function usedText(record: OutcomeRecord): string {
  const { durationMs, userCpuMs, systemCpuMs, peakMemoryKib, trigger, by, droppedBytes } = record
  const facts = [
    ...(durationMs === null ? [] : [`ran for ${durationText(durationMs)}`]),
    ...(userCpuMs === null || systemCpuMs === null ? [] : [`${durationText(userCpuMs + systemCpuMs)} CPU`]),
    ...(peakMemoryKib === null ? [] : [`${bytesText(peakMemoryKib * 1_024)} memory`]),
    ...(droppedBytes === null || droppedBytes === 0 ? [] : [`${bytesText(droppedBytes)} of output not kept`]),
    ...(trigger === 'manual' ? [by === null ? 'started by hand' : `started by ${by}`] : []),
  ]
  return facts.join(' · ')
}

/** A run that is under way, with its output as it is printed. */
export function RunningRun({ record, ...zones }: Zones & { record: RunningRecord }) {
  const at = secondsOf(record.startedAt) ?? zones.now
  return (
    <article class="panel run" aria-label="Running now">
      <header>
        <h2>Running now</h2> <Badge kind="running" note={`for ${spanText(Math.max(0, zones.now - at))}`} />
        {record.trigger === 'manual' && (
          <span class="faint">{record.by === null ? 'started by hand' : `started by ${record.by}`}</span>
        )}
      </header>
      <p class="run-facts">
        <Moment at={at} {...zones} />
        {record.pid !== null && <span class="faint">process {record.pid}</span>}
      </p>
      <RunOutput identity={record.identity} runId={record.executionId} running />
    </article>
  )
}
