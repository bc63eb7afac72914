import { readFileSync, readlinkSync } from 'node:fs'

/** What a job takes over from the daemon where its entry is silent. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string | undefined
  readonly umask: number | undefined
}

/** The surroundings of the daemon that runs now; undefined if there is none, or it may not be looked at. */
export function daemonSurroundings(pidFile: string): Surroundings | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    const proc = `/proc/${pid}`
    // The PID may belong to somebody else by now.
    if (!readFileSync(`${proc}/cmdline`, 'utf8').includes('krond')) return undefined
    const umask = /^Umask:\s*([0-7]+)/m.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]
    return {
      env: environmentIn(readFileSync(`${proc}/environ`, 'utf8')),
      cwd: readlinkSync(`${proc}/cwd`),
      umask: umask === undefined ? undefined : Number.parseInt(umask, 8),
    }
  } catch {
    return undefined
  }
}

export function environmentIn(text: string): Record<string, string> {
  const pairs = text.split('\0').filter(each => each.includes('='))
  return Object.fromEntries(
    pairs.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )
}
