import { visible } from '@kron/cli'
import { OUTCOME_STYLES, outcomeText } from '@kron/core'
import { type KeptOutput, type NotifyEvent, nameOf } from '@kron/host'
import type { Notice } from './notice.ts'

/** The message about one event, as webhooks and commands get it in JSON. */
export interface Message {
  readonly key: string
  readonly event: NotifyEvent
  readonly host: string
  readonly job: string
  readonly identity: string
  /** Null for a manual run. */
  readonly period: string | null
  readonly chosenTime: string | null
  readonly startedAt: string | null
  readonly completedAt: string
  readonly outcome: string
  readonly reason: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number | null
  /** Periods that this message stands for. */
  readonly count: number
  /** The end of the run's output. */
  readonly outputTail: string
  /** The command that shows more. */
  readonly more: string
  /** One line for people. */
  readonly summary: string
  readonly isTest: boolean
}

const TAIL_BYTES = 4_096

export interface MessageFacts {
  readonly host: string
  readonly output: KeptOutput | undefined
  readonly isTest?: boolean
}

export function messageOf(notice: Notice, { host, output, isTest = false }: MessageFacts): Message {
  const { key, event, record, count } = notice
  const { identity, periodId, runId } = record
  const job = nameOf(identity)
  const which = periodId !== null ? `--period ${periodId}` : `--run ${runId}`
  return {
    key,
    event,
    host,
    job,
    identity,
    period: periodId,
    chosenTime: record.chosenTime,
    startedAt: record.startedAt,
    completedAt: record.completedAt,
    outcome: record.kind,
    reason: outcomeText(record),
    exitCode: record.exitCode,
    signal: record.signal,
    durationMs: record.durationMs,
    count,
    outputTail: output === undefined ? '' : tailOf(output),
    more: runId === null ? `krontab history ${identity}` : `krontab output ${identity} ${which}`,
    summary: summaryOf(notice, job, host),
    isTest,
  }
}

function summaryOf({ event, record, count }: Notice, job: string, host: string): string {
  const { word } = OUTCOME_STYLES[record.kind]
  const what = event === 'recovered' ? 'recovered' : event === 'output' ? 'printed something' : word
  const times = count > 1 ? ` (${count} periods)` : ''
  const why = event === 'recovered' || event === 'output' ? '' : `: ${outcomeText(record)}`
  return `${job} on ${host} ${what}${times}${why}`
}

function tailOf({ pieces }: KeptOutput): string {
  const bytes = Buffer.concat(pieces.flatMap(piece => (piece.kind === 'gap' ? [] : [piece.data])).slice(-8))
  const tail = bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES)).toString()
  // The first line is incomplete.
  return bytes.length > TAIL_BYTES ? tail.slice(tail.indexOf('\n') + 1) : tail
}

/** The message as a mail for `sendmail -t`. */
export function mailText(message: Message, address: string): string {
  const subject = `${message.isTest ? '[test] ' : ''}${message.summary}`
  const facts: readonly (readonly [string, string | null])[] = [
    ['host', message.host],
    ['job', message.identity],
    ['period', message.period ?? 'none: started by hand'],
    ['chosen time', message.chosenTime],
    ['started', message.startedAt],
    ['ended', message.completedAt],
    ['outcome', message.outcome],
    ['reason', message.reason],
    ['exit status', message.signal ?? (message.exitCode === null ? null : String(message.exitCode))],
    ['duration', message.durationMs === null ? null : `${message.durationMs} ms`],
  ]
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`${name.padEnd(12)} ${visible(value)}`],
  )
  const output =
    message.outputTail === '' ? [] : ['', 'The end of its output:', '', message.outputTail.trimEnd()]
  return [
    `To: ${address}`,
    `Subject: ${headerText(subject)}`,
    `Message-ID: <${message.key}.${message.isTest ? 'test' : 'krond'}@${message.host}>`,
    'Auto-Submitted: auto-generated',
    `X-Kron-Key: ${message.key}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...(message.isTest ? ['This is a test of notifications: nothing has happened.', ''] : []),
    ...lines,
    '',
    `More: ${visible(message.more)}`,
    ...output,
    '',
  ].join('\n')
}

const HEADER_BYTES = 200

/** One line that cannot begin another header; encoded (RFC 2047) if it is not ASCII. */
function headerText(text: string): string {
  const line = visible(text)
    .replaceAll(/[\r\n]/g, ' ')
    .slice(0, HEADER_BYTES)
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?utf-8?B?${Buffer.from(line).toString('base64')}?=`
}
