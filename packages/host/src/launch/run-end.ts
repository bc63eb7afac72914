import { constants } from 'node:os'
import type { RunUsage } from '../state/run-usage.ts'

/** Why a run ended: by itself, or because it was told to. */
export type EndReason = 'exited' | 'timeout' | 'replaced' | 'stopped' | 'requested' | 'unrecorded'

/** How a command ended, as reported by its shim. */
export interface RunEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  /** Name of the signal, as SIGTERM. */
  readonly signal: string | null
  readonly why: EndReason
  /** CLOCK_BOOTTIME in milliseconds. */
  readonly startedBootMs: number
  readonly endedBootMs: number
  readonly usage: RunUsage
  /** Bytes that did not reach the file, syslog or the log. */
  readonly undeliveredBytes: number
  /** The number of processes that survived SIGKILL. */
  readonly left: number
}

const REASONS: readonly string[] = ['exited', 'timeout', 'replaced', 'stopped', 'requested', 'unrecorded']
const DIGITS = /^\d{1,20}$/
const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** Reads the lines `key value` of an end record; undefined if they are not one. */
export function parseRunEnd(lines: readonly string[]): RunEnd | undefined {
  const values = new Map<string, string>()
  for (const line of lines) {
    const blank = line.indexOf(' ')
    if (blank > 0) values.set(line.slice(0, blank), line.slice(blank + 1))
  }
  const number = (key: string): number => {
    const text = values.get(key) ?? ''
    return DIGITS.test(text) ? Number(text) : Number.NaN
  }
  const why = values.get('why') ?? ''
  const exitCode = values.has('exit') ? number('exit') : null
  const signal = values.has('signal') ? number('signal') : null
  const usage: RunUsage = {
    userCpuMs: Math.round(number('user') / 1e3),
    systemCpuMs: Math.round(number('system') / 1e3),
    peakMemoryKib: number('memory'),
    printedBytes: number('out') + number('err'),
    droppedBytes: number('dropped'),
  }
  const end: RunEnd = {
    exitCode,
    signal: signal === null ? null : (signalNames.get(signal) ?? `SIG${signal}`),
    why: why as EndReason,
    startedBootMs: number('started') / 1e6,
    endedBootMs: number('ended') / 1e6,
    usage,
    undeliveredBytes: number('undelivered'),
    left: number('left'),
  }
  const isWhole = Object.values({ ...end, ...usage }).every(value => !Number.isNaN(value))
  const hasOneEnd = (exitCode === null) !== (signal === null)
  return isWhole && hasOneEnd && REASONS.includes(why) ? end : undefined
}
