import { constants } from 'node:os'
import type { Exit, LaunchSpec } from '@kron/runtime'
import type { Host } from '../host.ts'

export interface Limits {
  /** Nanoseconds. */
  readonly timeout: number | null
  readonly grace: number
}

const MS = 1_000_000
const LONGEST_TIMER = 2 ** 31 - 1
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Launches a process, passes on the signals of this one, ends it at its timeout, and tells how it ended. */
export async function execute(host: Host, spec: LaunchSpec, { timeout, grace }: Limits): Promise<Exit> {
  const { linuxProcessTable, posixLauncher, systemClock, terminate } = await import('@kron/runtime')
  const processes = linuxProcessTable()
  const { process: leader, exited } = await posixLauncher(processes).launch(spec)
  const pass = (signal: NodeJS.Signals): void => void processes.signalGroup(leader, signal)
  for (const signal of FORWARDED) process.on(signal, pass)
  const end = async (): Promise<void> => {
    host.err(`krontab: the timeout is over, the job is ended\n`)
    await terminate(leader, { processes, clock: systemClock, grace: grace / MS })
  }
  const timer = timeout === null ? undefined : setTimeout(end, Math.min(timeout / MS, LONGEST_TIMER))
  try {
    return await exited
  } finally {
    clearTimeout(timer)
    for (const signal of FORWARDED) process.off(signal, pass)
  }
}

/** The exit status a shell would show. */
export function exitStatus(exit: Exit): number {
  switch (exit.kind) {
    case 'code':
      return exit.code
    case 'signal':
      return 128 + (constants.signals[exit.signal as NodeJS.Signals] ?? 0)
    case 'unknown':
      return 1
  }
}
