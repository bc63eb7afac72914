/** The sources of an earlier commit, with what they need installed, in a directory of the machine's cache. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The last commit before kron-shim: jobs were started through sh and setpriv. */
export const BEFORE_SHIM = 'c932aeb'

/** Undefined if this clone does not have the commit, or npm cannot install what it needs. */
export function earlierSources(commit: string): string | undefined {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kron-earlier')
  const directory = join(cache, commit)
  if (existsSync(directory)) return directory
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status !== 0) return undefined
  const making = `${directory}.${process.pid}`
  mkdirSync(making, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', making], { input: archive })
  const installed = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: making, stdio: 'ignore' })
  if (installed.status !== 0) {
    rmSync(making, { recursive: true, force: true })
    return undefined
  }
  renameSync(making, directory)
  return directory
}
