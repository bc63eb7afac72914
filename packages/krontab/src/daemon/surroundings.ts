import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { livingHolder } from '@kron/host'

/** The values of the daemon that a job uses where its entry has none. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string | undefined
  readonly umask: number | undefined
}

/**
 * The surroundings of the daemon that holds the state directory; undefined if there is none. Its user must be `uid`:
 * the environment of another user could name that user's programs and libraries.
 */
export function daemonSurroundings(stateDir: string, uid: number): Surroundings | undefined {
  try {
    const pid = livingHolder(`${stateDir}/lock`)
    const proc = `/proc/${pid}`
    if (pid === undefined || statSync(proc).uid !== uid) return undefined
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

function environmentIn(text: string): Record<string, string> {
  const pairs = text.split('\0').filter(each => each.includes('='))
  return Object.fromEntries(
    pairs.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )
}
