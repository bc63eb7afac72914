/** The Debian package under systemd, booted in namespaces: `npm run verify -- systemd [bookworm] [trixie]`. Needs root. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0
const missing = ['mmdebstrap', 'dpkg-deb', 'nsenter'].filter(program => !works(program, '--version'))
const mounts = works(
  'unshare',
  '--mount',
  '--pid',
  '--cgroup',
  '--fork',
  'mount',
  '-t',
  'tmpfs',
  'none',
  '/tmp',
)
if (missing.length > 0 || !mounts) {
  console.log(
    `systemd skipped: ${missing.length > 0 ? `there is no ${missing.join(', no ')}` : 'this user may not mount'}`,
  )
  process.exit(0)
}
const releases = process.argv.length > 2 ? process.argv.slice(2) : ['bookworm', 'trixie']
let failed = 0
for (const release of releases) {
  const { status } = spawnSync(
    process.execPath,
    [
      ...['--conditions=kron-source', '--test', '--test-reporter=spec'],
      join(import.meta.dirname, 'systemd.e2e.ts'),
    ],
    {
      stdio: 'inherit',
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, KRON_RELEASE: release },
    },
  )
  if (status !== 0) failed = 1
}
process.exit(failed)
