/**
 * kron-shim itself: `npm run verify -- shim [PART...]`. Without a word all parts; `--long` tries ten million inputs
 * and takes every test through valgrind.
 * Needs python3 with pip (for the pinned compiler); gcc or clang for the sanitizers; cc and valgrind for the parts of these
 * names below. A part whose program is missing is skipped only if nobody asked for it by its name, and not in CI.
 */
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const isLong = words.includes('--long')
const wanted = words.filter(word => !word.startsWith('--'))
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** Tests that take valgrind through starts, ends, output and deaths within a minute or two. */
const BRIEFLY = 'runs once|refused at|outlives|leaves nobody|small writes|datagram'

interface Part {
  /** The words for Node. */
  readonly command: readonly string[]
  readonly needs?: { readonly program: string; readonly packages: string }
}

const PARTS: Readonly<Record<string, Part>> = {
  /** Both binaries, built anew, have the committed bytes. */
  rebuild: { command: ['packages/shim/build.mjs', '--check'] },
  resident: { command: e2e('resident') },
  kills: { command: e2e('kill-at-every-call'), needs: { program: 'cc', packages: 'gcc libc6-dev' } },
  asan: { command: ['packages/shim/sanitize.mjs', 'asan'] },
  valgrind: {
    command: [
      'packages/shim/sanitize.mjs',
      'valgrind',
      ...(isLong ? [] : [`--test-name-pattern=${BRIEFLY}`]),
    ],
    needs: { program: 'valgrind', packages: 'valgrind' },
  },
  fuzz: { command: ['packages/shim/sanitize.mjs', 'fuzz', isLong ? '10000000' : '500000'] },
}

function e2e(name: string): readonly string[] {
  return ['--conditions=kron-source', '--test', '--test-timeout=1800000', `verify/shim/${name}.e2e.ts`]
}

const unknown = wanted.filter(word => !(word in PARTS))
if (unknown.length > 0 || words.includes('--help')) {
  console.log(`usage: npm run verify -- shim [--long] [${Object.keys(PARTS).join('|')}]...`)
  process.exit(unknown.length > 0 ? 2 : 0)
}
const parts = Object.entries(PARTS).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const impossible = new Set<string>()
for (const [name, { needs }] of parts) {
  if (needs === undefined || has(needs.program)) continue
  impossible.add(name)
  console.error(`shim ${name}: there is no ${needs.program}; install ${needs.packages}`)
}
if (impossible.size > 0 && (wanted.length > 0 || process.env['CI'] !== undefined)) process.exit(1)
for (const [name, { command }] of parts) {
  if (impossible.has(name)) {
    console.log(`shim ${name}: skipped`)
    continue
  }
  console.log(`shim ${name}:`)
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
