import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** What /proc/<pid>/stat says that identifies a process; a zombie still has one. */
export interface ProcessStat {
  readonly pid: number
  /** Base name of the program last executed, cut to 15 bytes. */
  readonly program: string
  readonly state: string
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
  const close = text.lastIndexOf(')')
  const fields = text.slice(close + 2).split(' ')
  return {
    pid: Number(text.slice(0, open)),
    program: text.slice(open + 1, close),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    startTime: Number(fields[19]),
  }
}

/** The real user of a process; a program that is set-user-ID has another effective one. */
export function readRealUser(pid: number): number | undefined {
  try {
    const uid = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return uid === undefined ? undefined : Number(uid)
  } catch {
    return undefined
  }
}

/** Ended, though its parent may not have asked for its exit status yet. */
export const isDead = (stat: ProcessStat): boolean => stat.state === 'Z' || stat.state === 'X'
