/** The first hour of a new user on a clean machine: `npm run verify -- new-user`. Needs root and mmdebstrap. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
if (process.getuid?.() !== 0) {
  console.error('new-user makes a machine of its own, which needs root: sudo npm run verify -- new-user')
  process.exit(2)
}
if (spawnSync('mmdebstrap', ['--version']).status !== 0) {
  console.error('kron: installing mmdebstrap (once) ...')
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
  execFileSync('apt-get', ['install', '-y', '-qq', 'mmdebstrap'], { stdio: 'inherit' })
}
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', 'verify/new-user/new-user.e2e.ts'],
  { stdio: 'inherit', cwd: root },
)
process.exit(status ?? 1)
