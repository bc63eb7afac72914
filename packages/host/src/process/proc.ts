import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** One process as /proc/PID/stat shows it. */
export interface ProcessStat {
  readonly pid: number
  readonly state: string
  /** Process group. */
  readonly group: number
  /** In clock ticks since boot. */
  readonly startTime: number
}

const buffer = Buffer.allocUnsafe(1024)

export function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    const fd = openSync(`/proc/${pid}/stat`, 'r')
    try {
      return parseProcessStat(buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0)))
    } finally {
      closeSync(fd)
    }
  } catch {
    return undefined
  }
}

export function parseProcessStat(text: string): ProcessStat {
  // The program's name may itself hold blanks and parentheses.
  const open = text.indexOf('(')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number(text.slice(0, open)),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    startTime: Number(fields[19]),
  }
}

/** Whether the process has ended, even if its parent has not read its exit status yet. */
export const isDead = ({ state }: ProcessStat): boolean => state === 'Z' || state === 'X'

/** The real user of a process; for a set-user-ID program it differs from the effective user. */
export function readRealUser(pid: number): number | undefined {
  try {
    const uid = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return uid === undefined ? undefined : Number(uid)
  } catch {
    return undefined
  }
}

let boot: string | undefined

/** An id that is different after every boot. */
export function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  return boot
}
