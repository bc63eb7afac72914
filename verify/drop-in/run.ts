/** krond beside Debian's cron on the same crontabs: `npm run verify -- drop-in`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { debianProgram } from '../../scripts/debian.ts'
import { commandLine } from '../command-line.ts'

const SUITES = ['side-by-side', 'times']

const USAGE = `usage: npm run verify -- drop-in [side-by-side] [times] [--hours N]

side-by-side  both daemons at once: start minutes, arguments, environment, directory, user, groups, umask, input, mail
times         krond's computed starts beside those of a running cron, over eight nights of clock changes

  --hours N   how many hours of the shifted clock side-by-side takes (default: 168, a week)
`

const { values, positionals } = commandLine(
  USAGE,
  { hours: { type: 'string', default: '168' } },
  { takesWords: true },
)
const unknown = positionals.find(name => !SUITES.includes(name))
if (unknown !== undefined || !(Number(values.hours) >= 1)) {
  console.error(USAGE)
  process.exit(2)
}
const cron = debianProgram('/usr/sbin/cron', 'cron', 'cron-daemon-common')
if (cron === undefined) {
  console.log('drop-in skipped: cron is not installed and apt cannot fetch it')
  process.exit(0)
}
const files = (positionals.length === 0 ? SUITES : positionals).map(name => `verify/drop-in/${name}.e2e.ts`)
const { status } = spawnSync(process.execPath, ['--conditions=kron-source', '--test', ...files], {
  stdio: 'inherit',
  cwd: join(import.meta.dirname, '../..'),
  env: { ...process.env, KRON_CRON: cron, KRON_HOURS: values.hours },
})
process.exit(status ?? 1)
