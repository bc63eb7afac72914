import { parseArgs } from 'node:util'
import { parseDuration } from '@kron/core'
import { RECORD } from './record.ts'

export interface TortureOptions {
  /** When to end, in ms from the start. */
  readonly span: number
  readonly kills: number
  /** Names of adversaries and subjects; none means all. */
  readonly only: readonly string[]
  readonly seed: string
  readonly rounds: number
  readonly lanes: number
  readonly directory: string | undefined
  /** The file to which the figures are added. */
  readonly recordTo: string | undefined
}

export const USAGE = `npm run verify -- torture [options]
  --for DURATION     end after this long (default 2m, or without end if --kills is given)
  --kills N          end after that many kill -9 of krond
  --only NAME,...    only these adversaries (kill, stop, ...) and subjects (scheduler-file, ...)
  --seed TEXT        what chance begins with (default: the time)
  --rounds N         lives of a daemon in one arena (default 60)
  --lanes N          arenas at a time (default 2)
  --directory PATH   where the arenas are (default: a new one in the directory for temporary files)
  --record           add the figures to verify/reliability/torture.json
  --record-to PATH   add them to this file

  npm run verify -- torture --kills 1000                          until krond was killed a thousand times
  npm run verify -- torture --only scheduler-postgres --for 10m   one subject
  npm run verify -- torture --only operator --for 10m             on a control plane of its own, which is built first`

/** The options, or a message about the mistake in them. */
export function parseOptions(words: readonly string[]): TortureOptions | string {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        for: text,
        kills: text,
        only: text,
        seed: text,
        rounds: text,
        lanes: text,
        directory: text,
        record: { type: 'boolean' },
        'record-to': text,
      },
    })
    const span = values.for === undefined ? undefined : parseDuration(values.for)
    if (span !== undefined && !span.ok) return `--for: ${span.faults.map(each => each.message).join('; ')}`
    const endless = values.kills === undefined ? 120_000 : Number.POSITIVE_INFINITY
    return {
      span: span === undefined ? endless : span.value / 1e6,
      kills: countOf('kills', values.kills, Number.POSITIVE_INFINITY),
      only: values.only?.split(',') ?? [],
      seed: values.seed ?? String(Date.now()),
      rounds: countOf('rounds', values.rounds, 60),
      lanes: countOf('lanes', values.lanes, 2),
      directory: values.directory,
      recordTo: values['record-to'] ?? (values.record === true ? RECORD : undefined),
    }
  } catch (error) {
    return (error as Error).message
  }
}

function countOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new Error(`--${name} needs a whole number above zero, got ${text}`)
}
