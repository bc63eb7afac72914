/** Runs the slow suites against the real thing: `node scripts/test-e2e.ts krond`. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const [suite = '*', ...wanted] = process.argv.slice(2)
const files = globSync(`e2e/${suite}/*.e2e.ts`)
  .filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`error: no suite matches ${process.argv.slice(2).join(' ')}`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', '--test-concurrency=2', '--test-timeout=900000', ...files],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
