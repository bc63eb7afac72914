/** Runs the slow tests of the real daemon; words choose files by a part of their names. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const wanted = process.argv.slice(2)
const files = globSync('verify/krond/*.e2e.ts')
  .filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`error: no file of verify/krond matches ${wanted.join(' ')}`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', '--test-concurrency=3', '--test-timeout=900000', ...files],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
