/** Compares import's statements about cron and systemd with the programs: `npm run verify -- originals`. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { debianProgram } from '../../scripts/debian.ts'

const root = join(import.meta.dirname, '../..')
const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0

function obstacleToCron(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (!works('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/run'))
    return 'this user may not mount (it needs root)'
  if (!existsSync('/usr/share/zoneinfo/Europe/Berlin')) return 'there is no zone data for it'
  return works('cc', '--version') ? undefined : 'there is no C compiler for its clock'
}

const obstacle = obstacleToCron()
const cron = obstacle === undefined ? debianProgram('/usr/sbin/cron', 'cron') : undefined
const crontab = obstacle === undefined ? debianProgram('/usr/bin/crontab', 'cron') : undefined
const suites = [
  {
    file: 'verify/originals/cron.e2e.ts',
    missing: cron === undefined ? (obstacle ?? 'cron is not installed and apt cannot fetch it') : undefined,
  },
  {
    file: 'verify/originals/user.e2e.ts',
    missing: cron === undefined ? (obstacle ?? 'cron is not installed and apt cannot fetch it') : undefined,
  },
  {
    file: 'verify/originals/acceptance.e2e.ts',
    missing: crontab === undefined ? 'crontab is not installed and apt cannot fetch it' : undefined,
  },
  {
    file: 'verify/originals/systemd.e2e.ts',
    missing: works('systemd-analyze', '--version') ? undefined : 'there is no systemd-analyze',
  },
]
for (const { file, missing } of suites) if (missing !== undefined) console.log(`${file} skipped: ${missing}`)
const files = suites.filter(suite => suite.missing === undefined).map(suite => suite.file)
if (files.length === 0) process.exit(0)
// In mounts of their own: one of them changes the account files.
const privately = obstacle === undefined ? ['unshare', '--mount'] : []
const [program, ...words] = [...privately, process.execPath, '--conditions=kron-source', '--test', ...files]
const { status } = spawnSync(program!, words, {
  stdio: 'inherit',
  cwd: root,
  env: {
    ...process.env,
    KRON_CRON: cron,
    KRON_CRONTAB: crontab,
    ...(obstacle === undefined ? { KRON_OWN_MOUNTS: '1' } : {}),
  },
})
process.exit(status ?? 1)
