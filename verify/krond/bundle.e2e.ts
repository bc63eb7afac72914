import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const directory = mkdtempSync(`${tmpdir()}/kron-bundle-`)
after(() => rmSync(directory, { recursive: true }))

before(() => {
  const node = (...words: string[]): unknown => execFileSync(process.execPath, words, { stdio: 'inherit' })
  node(at('node_modules/typescript/bin/tsc'), '-b', at('packages/krond'), at('packages/krontab'))
  node(at('scripts/bundle.mjs'))
})

/** The program as it is shipped; every command of it is a bundle with classes of its own. */
function shipped(program: 'krond' | 'krontab', ...words: string[]): { code: number | null; error: string } {
  const { status, stderr } = spawnSync(
    process.execPath,
    [at(`packages/${program}/bin/${program}.cjs`), ...words],
    {
      encoding: 'utf8',
    },
  )
  return { code: status, error: stderr }
}

const start = (...words: string[]) =>
  shipped('krond', 'start', '--config', directory, '--state-dir', `${directory}/state`, ...words)

const nowhere = ['--state-dir', `${directory}/nowhere`]

for (const [what, run, message] of [
  ['start --history', () => start('--history', 'x'), /^error: --history must be .*\n$/],
  ['start --stop-timeout', () => start('--stop-timeout', '30d'), /^error: --stop-timeout must be .*\n$/],
  [
    'start --listen without a token',
    () => start('--listen', '0.0.0.0:9999'),
    /^error: .* a token and TLS are needed\n {2}hint: .*\n$/,
  ],
  [
    'validate --config',
    () => shipped('krond', 'validate', '--config', `${directory}/nowhere`),
    /^error: .*nowhere.*\n( {2}hint: .*\n)?$/,
  ],
  ['status', () => shipped('krond', 'status', ...nowhere), /^error: no krond is running .*\n {2}hint: .*\n$/],
  ['reload', () => shipped('krond', 'reload', ...nowhere), /^error: no krond is running .*\n {2}hint: .*\n$/],
  ['stop', () => shipped('krond', 'stop', ...nowhere), /^error: no krond is running .*\n {2}hint: .*\n$/],
] as const) {
  test(`the shipped krond answers a mistake in plain words and with exit code 1: ${what}`, () => {
    const { code, error } = run()
    assert.match(error, message)
    assert.equal(code, 1)
  })
}

test('the shipped krontab answers a program that is missing, or may not be executed, in plain words', () => {
  const file = `${directory}/programs`
  writeFileSync(
    file,
    `* * * * * name=missing command=${directory}/missing\n* * * * * name=plain command=${file}\n`,
  )
  for (const [name, expected] of [
    ['missing', 127],
    ['plain', 126],
  ] as const) {
    const { code, error } = shipped('krontab', 'run', name, '--file', file)
    assert.match(error, /^error: cannot run .*\n {2}hint: .*\n$/m)
    assert.doesNotMatch(error, /^\s+at /m)
    assert.equal(code, expected)
  }
})
