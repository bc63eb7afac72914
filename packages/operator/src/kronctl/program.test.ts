import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

const home = mkdtempSync(join(tmpdir(), 'kronctl-home-'))
after(() => rmSync(home, { recursive: true }))

const program = join(import.meta.dirname, '../bin/kronctl.ts')

/** The standard error of kronctl for a user who has no kubeconfig. */
function errorOf(...words: string[]): string {
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=kron-source', program, ...words], {
    cwd: home,
    encoding: 'utf8',
    env: { HOME: home },
  })
  assert.equal(status, 1, stderr)
  return stderr
}

test('without a kubeconfig, kronctl says that no cluster is configured, and where it looked', () => {
  assert.equal(
    errorOf('next', 'shop/backup'),
    'error: no cluster is configured: there is no --kubeconfig, KUBECONFIG or ~/.kube/config\n',
  )
})

test('a manifest that does not exist is named', () => {
  assert.equal(
    errorOf('validate', '-f', 'backup.yaml'),
    'error: backup.yaml: there is no such file or directory\n',
  )
})

const INSTALL = ['--conditions=kron-source', program, 'install', '--print']

test('output that cannot be written is an error in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, INSTALL, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 1)
})

test('a reader that takes only the first line ends kronctl quietly', () => {
  const script = '("$@"; echo "exit $?" >&2) | head -n 1'
  const words = ['-c', script, 'sh', process.execPath, ...INSTALL]
  const { stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
  assert.equal(stdout, 'apiVersion: v1\n')
  assert.equal(stderr, 'exit 0\n')
})

/** The executable exits with the code at once. What the program does then is told before. */
const EXITS = [
  '--conditions=kron-source',
  '--input-type=module',
  '--eval',
  `import { kronctlProgram } from ${JSON.stringify(join(import.meta.dirname, 'program.ts'))}
  kronctlProgram(['install', '--print']).then(code => process.exit(code))
  setImmediate(() => process.stderr.write('waits for the reader\\n'))`,
]

test('a slow reader gets everything before the executable exits', async t => {
  const whole = spawnSync(process.execPath, INSTALL, { encoding: 'utf8' }).stdout
  assert.ok(whole.length > 2 ** 18, `${whole.length}`)
  const script = '("$@"; echo "exit $?" >&2) | { read go <&3; exec cat; }'
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, ...EXITS], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  t.after(() => child.kill())
  const [stdout, stderr, go] = child.stdio.slice(1) as [Readable, Readable, Writable]
  const said = text(stderr)
  // The pipe is full, or the program has ended too soon.
  await once(stderr, 'data')
  go.end('go\n')
  assert.equal((await text(stdout)).length, whole.length)
  assert.equal(await said, 'waits for the reader\nexit 0\n')
})

test('output that cannot be written is an error in the executable, too', () => {
  const { status, stderr } = spawnSync(process.execPath, EXITS, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 1)
})

test('a manifest stays invalid if the reader takes only the first of many errors', () => {
  const bad = Array.from(
    { length: 3_000 },
    (_, i) =>
      `apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: job-${i}}\nspec: {schedule: "61 * * * *"}\n`,
  )
  writeFileSync(join(home, 'bad.yaml'), bad.join('---\n'))
  const script = '{ "$@" 2>&1; echo "exit $?" >&3; } 3>&2 | head -n 1'
  const words = [process.execPath, '--conditions=kron-source', program, 'validate', '-f', 'bad.yaml']
  const { stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...words], { cwd: home, encoding: 'utf8' })
  assert.match(stdout, /^bad\.yaml.*\n$/)
  assert.equal(stderr, 'exit 1\n')
})
