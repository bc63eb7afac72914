/** Two users with uids of their own on a host whose krond runs as root: `npm run verify -- users`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
if (
  process.getuid?.() !== 0 ||
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/run']).status !== 0
) {
  console.log('skipped: this needs root, and mounts of its own')
  process.exit(0)
}
// Users must reach the programs wherever the repository lies, so it appears at a place that everybody can enter.
const script = `
set -e
mount -t tmpfs -o mode=755 none /run
mkdir /run/kron
mount --bind "$1" /run/kron
exec "/run/kron\${2#"$1"}" --conditions=kron-source --test --test-reporter=spec /run/kron/verify/users/users.e2e.ts
`
const { status } = spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', root, process.execPath], {
  stdio: 'inherit',
  cwd: '/',
  env: { ...process.env, KRON_OWN_MOUNTS: '1' },
})
process.exit(status ?? 1)
