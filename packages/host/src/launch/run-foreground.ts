import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { SystemError } from '@kron/core'
import { encodeFrame, FrameReader, fieldsOf, LENGTH_BYTES } from './frames.ts'
import { StartRefusedError } from './refusal.ts'
import { parseRunEnd, type RunEnd } from './run-end.ts'
import { type RunSpec, specFields } from './run-spec.ts'
import { shimPath } from './shim-path.ts'

const SPEC_FD = 3
const STATUS_FD = 5
/** A status message begins with the number of the run, which a foreground run ignores. */
const REF_BYTES = 4
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Runs a command as krond would, but now, with this process's own stdout and stderr, and forwards the signals of this
 * process. Throws a StartRefusedError if the command was not executed; undefined if its end was not observed.
 */
export function runInForeground(spec: RunSpec): Promise<RunEnd | undefined> {
  const fields = [...specFields(spec), 'end=caller']
  const child = spawn(shimPath(), ['run', spec.job], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'ignore', 'pipe'],
    // A terminal's Ctrl-C then reaches only this process, which forwards it once.
    detached: true,
  })
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, pass)
  return new Promise<RunEnd | undefined>((resolve, reject) => {
    let end: RunEnd | undefined
    let refusal: StartRefusedError | undefined
    const reader = new FrameReader(message => {
      const [kind, ...rest] = fieldsOf(message.subarray(REF_BYTES))
      if (kind === 'ended') end = parseRunEnd(rest)
      if (kind === 'refused') refusal = new StartRefusedError(rest[0] ?? '', Number(rest[1]), rest[2] ?? '')
    })
    const streams: readonly unknown[] = child.stdio
    const status = streams[STATUS_FD] as Socket | undefined
    status?.on('data', (chunk: Buffer) => reader.push(chunk))
    child.on('error', cause => reject(cannotRun(cause)))
    child.on('close', () => (refusal === undefined ? resolve(end) : reject(refusal)))
    const input = child.stdio[SPEC_FD] as Socket | undefined
    input?.on('error', () => {}).end(encodeFrame(fields).subarray(LENGTH_BYTES))
  }).finally(() => {
    for (const signal of FORWARDED) process.off(signal, pass)
  })
}

const cannotRun = (cause: Error): SystemError =>
  new SystemError(`cannot run kron-shim: ${cause.message}`, {
    component: 'launch',
    operation: 'launch',
    cause,
  })
