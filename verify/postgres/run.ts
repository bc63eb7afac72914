// The scheduler's tests against a real PostgreSQL server: `npm run verify -- postgres`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { EMBEDDED, findPostgres } from './find-postgres.ts'

const root = join(import.meta.dirname, '../..')
const binaries = findPostgres()
if (binaries === undefined) {
  console.log(`PostgreSQL tests skipped: no server is installed and ${EMBEDDED} cannot be`)
  process.exit(0)
}
const args = [
  '--conditions=kron-source',
  '--test',
  '--test-concurrency=1',
  '--test-timeout=300000',
  'packages/scheduler/e2e/*.postgres.ts',
]
const env = { ...process.env, KRON_POSTGRES: binaries }
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root, env })
process.exit(status ?? 1)
