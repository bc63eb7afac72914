import { accessSync, constants, readFileSync } from 'node:fs'

/** The cgroup v2 directory this process is in, if it may create others in it. */
export function ownCgroup(): string | undefined {
  try {
    const path = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(
      readFileSync('/proc/self/mountinfo', 'utf8'),
    )?.[1]
    if (path === undefined || mount === undefined) return undefined
    const directory = path === '/' ? mount : `${mount}${path}`
    accessSync(directory, constants.W_OK)
    return directory
  } catch {
    return undefined
  }
}
