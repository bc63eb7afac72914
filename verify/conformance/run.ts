/** The independent engine in Python against every golden vector, through the conformance kit. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const engine = ['python3', 'vectors/check.py', '--engine']
const { status } = spawnSync(
  process.execPath,
  ['vectors/kit.js', '--timeout', '300', ...process.argv.slice(2), '--', ...engine],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1
