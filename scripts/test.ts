/** Runs the test suites that need nothing but Node: `npm test`, or `npm test -- packages/core` for a part. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const wanted = process.argv.slice(2)
const files = globSync([
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'vectors/*.test.ts',
  'docs/**/*.test.ts',
  'verify/**/*.test.ts',
  'packaging/**/*.test.ts',
])
  .filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)))
  .sort()

if (files.length === 0) {
  console.error(`error: no test file matches ${wanted.join(' ')}`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  [
    '--conditions=kron-source',
    `--import=${new URL('seed-chance.mjs', import.meta.url)}`,
    '--test',
    '--test-timeout=240000',
    // Many tests wait for processes, so one more file than processors runs at a time.
    `--test-concurrency=${Math.min(4, availableParallelism() + 1)}`,
    ...files,
  ],
  {
    stdio: 'inherit',
    // Every file is a process of its own, and most of them load the same modules.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/kron-tests'),
      ...process.env,
    },
  },
)
process.exit(status ?? 1)
