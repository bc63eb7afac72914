/** krond beside Debian's cron on the same crontabs: `npm run verify -- drop-in`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { debianProgram } from '../../scripts/debian.ts'

const cron = debianProgram('/usr/sbin/cron', 'cron', 'cron-daemon-common')
if (cron === undefined) {
  console.log('drop-in skipped: cron is not installed and apt cannot fetch it')
  process.exit(0)
}
const words = [
  '--conditions=kron-source',
  '--test',
  ...['conditions', 'times'].map(name => `verify/drop-in/${name}.e2e.ts`),
]
const { status } = spawnSync(process.execPath, words, {
  stdio: 'inherit',
  cwd: join(import.meta.dirname, '../..'),
  env: { ...process.env, KRON_CRON: cron },
})
process.exit(status ?? 1)
