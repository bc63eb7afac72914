// Runs the tests of this directory against builds that check themselves:
//
//   node packages/shim/sanitize.mjs asan       AddressSanitizer and UndefinedBehaviorSanitizer (glibc)
//   node packages/shim/sanitize.mjs valgrind   a plain glibc build under valgrind
//   node packages/shim/sanitize.mjs fuzz N     N inputs for the parsers of frames, specs, claims and /proc (libFuzzer)
//
// Uses clang with its runtime libraries (Debian: clang libclang-rt-dev) or else gcc, whose inputs for fuzzing are made
// without libFuzzer. A report of any process, run and child included, makes it fail. Further arguments are passed to the
// test runner.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files, warnings } from './build.mjs'

const here = import.meta.dirname
const [mode, ...rest] = process.argv.slice(2)
const root = mkdtempSync(join(tmpdir(), 'kron-shim-sanitize-'))
const reports = join(root, 'reports')
mkdirSync(reports)
for (const open of [root, reports]) chmodSync(open, 0o777) // commands of other users write reports, too

/** A compiler that can build programs with AddressSanitizer. */
function compiler() {
  const probe = join(root, 'probe.c')
  writeFileSync(probe, 'int main(void) { return 0; }\n')
  for (const name of ['clang', 'gcc']) {
    const built = spawnSync(name, ['-fsanitize=address,undefined', '-o', join(root, 'probe'), probe])
    if (built.status === 0) return name
  }
  console.error('error: neither clang (with libclang-rt-dev) nor gcc can build with AddressSanitizer here')
  process.exit(1)
}

const cc = compiler()
const compile = (output, flags, sources = files) =>
  execFileSync(
    cc,
    ['-std=c11', '-D_GNU_SOURCE', '-DKRON_HEAP', '-g', ...warnings, ...flags, '-o', output, ...sources],
    {
      cwd: join(here, 'src'),
      stdio: 'inherit',
    },
  )

function test(binary, flags = []) {
  const tests = globSync(join(here, 'test/*.test.ts')).sort()
  const run = spawnSync(
    process.execPath,
    ['--test', '--test-concurrency=1', '--test-timeout=600000', ...flags, ...rest, ...tests],
    { stdio: 'inherit', env: { ...process.env, KRON_SHIM: binary, KRON_SHIM_PATIENCE_MS: '120000' } },
  )
  return run.status ?? 1
}

/** Prints the reports that matter; true if there are any. */
function reported(isBad) {
  const bad = readdirSync(reports).filter(name => isBad(readFileSync(join(reports, name), 'utf8')))
  for (const name of bad.slice(0, 5))
    console.error(`--- ${name}\n${readFileSync(join(reports, name), 'utf8')}`)
  console.log(`${mode}: ${readdirSync(reports).length} reports, ${bad.length} with errors`)
  return bad.length > 0
}

let failed = false
if (mode === 'asan') {
  // The options are compiled in: serve gives its runs an empty environment.
  const options = join(root, 'options.c')
  writeFileSync(
    options,
    `const char *__asan_default_options(void); const char *__ubsan_default_options(void);
     const char *__asan_default_options(void) { return "log_path=${reports}/asan:detect_leaks=0:handle_segv=1"; }
     const char *__ubsan_default_options(void) { return "log_path=${reports}/ubsan:print_stacktrace=1"; }\n`,
  )
  const binary = join(root, 'kron-shim')
  compile(
    binary,
    ['-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'],
    [...files, options],
  )
  failed = test(binary) !== 0
  failed = reported(() => true) || failed
} else if (mode === 'valgrind') {
  const real = join(root, 'kron-shim-real')
  compile(real, ['-O1', '-gdwarf-4'])
  // Thousands of starts would take hours at the speed of valgrind; its own threads count for nproc, and its own
  // descriptors reach the commands; it keeps descriptors above the limit, executes scripts in its own way, and ps shows it.
  const unfit =
    '1,000 starts|any moment|100 MB|kept bytes|does not read|fork storm|nproc|short of|descriptors|of the caller|interpreter|limits and|in ps'
  // The test drives a program, so a small script stands for "valgrind of the binary"; commands are not followed.
  const binary = join(root, 'kron-shim')
  const flags = `-q --trace-children=yes --trace-children-skip=*bin/*,*node*,*.sh --error-exitcode=0 --log-file=${reports}/valgrind.%p`
  writeFileSync(binary, `#!/bin/sh\nexec valgrind ${flags} ${real} "$@"\n`, { mode: 0o755 })
  failed = test(binary, [`--test-skip-pattern=${unfit}`]) !== 0
  failed =
    reported(text =>
      /^==\d+== (Invalid|Conditional|Use of|Syscall param|Source and|Process terminating)/m.test(text),
    ) || failed
} else if (mode === 'fuzz') {
  const binary = join(root, 'fuzz')
  const parsers = files.filter(name =>
    ['spec.c', 'frame.c', 'claim.c', 'text.c', 'process.c', 'shim.c'].includes(name),
  )
  const isGuided = cc === 'clang'
  compile(
    binary,
    ['-O1', `-fsanitize=${isGuided ? 'fuzzer,' : ''}address,undefined`, '-fno-sanitize-recover=all', '-I.'],
    [...parsers, '../fuzz/parsers.c', ...(isGuided ? [] : ['../fuzz/standalone.c'])],
  )
  const corpus = join(root, 'corpus')
  mkdirSync(corpus)
  const count = rest[0] ?? '1000000'
  const kept = join(here, 'fuzz/corpus')
  const words = isGuided
    ? [
        `-runs=${count}`,
        '-max_len=8192',
        '-verbosity=0',
        '-print_final_stats=1',
        `-artifact_prefix=${root}/`,
        corpus,
        kept,
      ]
    : [count, ...readdirSync(kept).map(name => join(kept, name))]
  const run = spawnSync(binary, words, { stdio: 'inherit' })
  failed = run.status !== 0
  if (failed) console.error(`the input is in ${root}`)
} else {
  console.error('usage: node packages/shim/sanitize.mjs asan|valgrind|fuzz [N]')
  failed = true
}
if (!failed) rmSync(root, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
