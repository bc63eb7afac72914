/**
 * kron-shim itself: `npm run verify -- shim [PART...]`. Without a word all parts; `--long` tries ten million inputs
 * and takes every test through valgrind.
 * Needs python3 with pip (for the pinned compiler); gcc or clang for the sanitizers; valgrind is used if it is there.
 */
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const isLong = words.includes('--long')
const wanted = words.filter(word => !word.startsWith('--'))
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** Tests that take valgrind through starts, ends, output and deaths within a minute or two. */
const BRIEFLY = 'runs once|refused at|outlives|leaves nobody|small writes|datagram'

const PARTS: Readonly<Record<string, () => readonly string[] | string>> = {
  /** Both binaries, built anew, have the committed bytes. */
  rebuild: () => ['packages/shim/build.mjs', '--check'],
  resident: () => e2e('resident'),
  kills: () => (has('cc') ? e2e('kill-at-every-call') : 'there is no C compiler'),
  asan: () => ['packages/shim/sanitize.mjs', 'asan'],
  valgrind: () =>
    has('valgrind')
      ? ['packages/shim/sanitize.mjs', 'valgrind', ...(isLong ? [] : [`--test-name-pattern=${BRIEFLY}`])]
      : 'there is no valgrind',
  fuzz: () => ['packages/shim/sanitize.mjs', 'fuzz', isLong ? '10000000' : '500000'],
}

const e2e = (name: string): readonly string[] => [
  '--conditions=kron-source',
  '--test',
  '--test-timeout=1800000',
  `verify/shim/${name}.e2e.ts`,
]

const unknown = wanted.filter(word => !(word in PARTS))
if (unknown.length > 0 || words.includes('--help')) {
  console.log(`usage: npm run verify -- shim [--long] [${Object.keys(PARTS).join('|')}]...`)
  process.exit(unknown.length > 0 ? 2 : 0)
}
for (const [name, part] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const command = part()
  if (typeof command === 'string') {
    console.log(`shim ${name} skipped: ${command}`)
    continue
  }
  console.log(`shim ${name}:`)
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
