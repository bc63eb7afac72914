import {
  bytesText,
  type Column,
  columns,
  indent,
  millisecondsText,
  relativeText,
  spanText,
  styleOf,
  type Terminal,
  table,
} from '@kron/cli'
import { parseInstant } from '@kron/core'
import { nameOf } from '@kron/host'
import type { OutcomeRecord } from '@kron/host/api'
import type { ActiveRun, JobHistory } from '../daemon/job-history.ts'
import { reasonText, recordText, runName } from './outcome.ts'

/** An outcome with the last line that its run printed, if it failed and its output is kept. */
export interface PastRun {
  readonly record: OutcomeRecord
  readonly lastLine: string | null
}

const EXAMPLE = '(example)'
const INDENT = 2

export function historyText(
  { identity, running: active }: JobHistory,
  past: readonly PastRun[],
  now: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const running = active.map(each => `${style.accent('running')} ${runningText(each, now)}`)
  const full = runTable(past, now, terminal, false)
  const isNarrow = full.some(line => columns(line) > terminal.width - INDENT)
  const [titles, ...lines] = isNarrow ? runTable(past, now, terminal, true) : full
  const shown = lines.flatMap((line, i) => [
    line,
    ...(isNarrow ? belowText(reasonText(past[i]!.record), style.faint) : []),
    ...belowText(past[i]!.lastLine ?? '', style.faint),
  ])
  return [
    `${style.strong(nameOf(identity))}  ${style.faint(identity)}`,
    ...(running.length === 0 ? [] : ['', ...indent(running)]),
    '',
    ...indent(past.length === 0 ? ['no outcomes yet'] : [titles!, ...shown], INDENT),
    ...(past.some(({ record }) => record.example === true)
      ? ['', ...indent([style.faint(`${EXAMPLE}: made up for the demonstration; nothing ran`)])]
      : []),
  ]
}

/** One line for each run below the titles; `isBrief`: without the reasons of outcomes. */
function runTable(
  past: readonly PastRun[],
  now: number,
  terminal: Terminal,
  isBrief: boolean,
): readonly string[] {
  const style = styleOf(terminal)
  const rows = past.map(({ record }) => [
    runName(record),
    record.chosenTime ?? style.faint('none'),
    between(record.chosenTime, record.startedAt),
    duration(record),
    record.userCpuMs === null ? '' : millisecondsText(record.userCpuMs + (record.systemCpuMs ?? 0)),
    record.peakMemoryKib === null ? '' : bytesText(record.peakMemoryKib * 1_024),
    `${record.example === true ? `${EXAMPLE} ` : ''}${recordText(record, terminal, isBrief)}`,
    style.faint(ago(record.completedAt, now)),
  ])
  const heads: (Column & { readonly isMeasured?: boolean })[] = [
    { title: 'period' },
    { title: 'chosen', least: 20, leaveOut: 3 },
    { title: 'late', align: 'right' },
    { title: 'took', align: 'right' },
    { title: 'cpu', align: 'right', leaveOut: 2, isMeasured: true },
    { title: 'memory', align: 'right', leaveOut: 1, isMeasured: true },
    { title: 'outcome' },
    { title: '', leaveOut: 4 },
  ]
  // Early versions of krond did not measure this.
  const isShown = (_: unknown, i: number): boolean =>
    heads[i]!.isMeasured !== true || rows.some(row => row[i] !== '')
  return table(
    heads.filter(isShown),
    rows.map(row => row.filter(isShown)),
    terminal.width - INDENT,
    style.faint,
  )
}

/** A line of its own below the run; none if there is nothing to say. */
const belowText = (text: string, faint: (text: string) => string): string[] =>
  text === '' ? [] : [`  ${faint('↳')} ${text}`]

export function runningText({ pid, startedAt, periodId }: ActiveRun, now: number): string {
  const started = instantOf(startedAt)
  const since = started === undefined ? 'about to start' : `for ${spanText(Math.max(0, now - started))}`
  const what = periodId === null ? 'started by hand' : `period ${periodId}`
  return `${since}, ${pid === null ? 'no PID yet' : `PID ${pid}`}, ${what}`
}

const duration = ({ durationMs, startedAt, completedAt }: OutcomeRecord): string =>
  durationMs === null ? between(startedAt, completedAt) : millisecondsText(durationMs)

function between(begin: string | null, end: string | null): string {
  const [from, to] = [instantOf(begin), instantOf(end)]
  return from === undefined || to === undefined ? '' : spanText(Math.max(0, to - from))
}

function ago(text: string, now: number): string {
  const at = instantOf(text)
  return at === undefined ? '' : relativeText(at, now)
}

function instantOf(text: string | null): number | undefined {
  const instant = parseInstant(text ?? '')
  return instant.ok ? instant.value : undefined
}
