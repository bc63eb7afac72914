/** Runs the test suites that need nothing but Node: `npm test`, or `npm test -- packages/core` for a part. */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** These begin first, so that none of them runs alone at the end. Those that compute alternate with those that wait. */
const LONGEST = [
  'packages/krond/src/simulation/broken-variants.test.ts',
  'packages/krond/src/blackbox/execution.test.ts',
  'scripts/docs/snippets.test.ts',
  'packages/krond/src/blackbox/recovery.test.ts',
  'packages/krond/src/simulation/simulation.test.ts',
  'packages/krond/src/blackbox/full-disk.test.ts',
  'packages/scheduler/src/restart/kill.test.ts',
  'packages/shim/test/death.test.ts',
  'packages/shim/test/faults.test.ts',
  'packages/krond/src/blackbox/notify.test.ts',
  'packages/core/src/zone/zone.test.ts',
  'packages/krond/src/blackbox/lifecycle.test.ts',
]
/** Multiples of it, less their whole part, fill the space from 0 to 1 evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

const wanted = process.argv.slice(2)
const all = globSync([
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'vectors/*.test.ts',
  'docs/**/*.test.ts',
  'verify/**/*.test.ts',
  'packaging/**/*.test.ts',
])
const absent = LONGEST.filter(file => !all.includes(file))
if (absent.length > 0) throw new Error(`scripts/test.ts names what is no test file: ${absent.join(', ')}`)

/** Files of one directory are alike: most wait for processes, or most compute. Spread out, they share the processors. */
const spread = all
  .sort()
  .map((file, index) => ({ file, place: (index * GOLDEN) % 1 }))
  .sort((one, other) => one.place - other.place)
  .map(({ file }) => file)
const files = [...new Set([...LONGEST, ...spread])].filter(
  file => wanted.length === 0 || wanted.some(part => file.includes(part)),
)

if (files.length === 0) {
  console.error(`error: no test file matches ${wanted.join(' ')}`)
  process.exit(1)
}
// Every file is a process of its own, and most of them load the same modules.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/kron-tests')
// `node --test` would sort the files by their names.
const results = run({
  files: files.map(file => resolve(file)),
  execArgv: ['--conditions=kron-source', `--import=${new URL('seed-chance.mjs', import.meta.url)}`],
  timeout: 240_000,
  // Many tests wait for processes, so one more file than processors runs at a time.
  concurrency: Math.min(4, availableParallelism() + 1),
})
results.on('test:summary', ({ file, success }) => {
  if (file === undefined && !success) process.exitCode = 1
})
results.compose(spec).pipe(process.stdout)
