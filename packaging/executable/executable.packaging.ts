/** The single executable: its bytes, and the programs in it. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from '../../scripts/packages.ts'
import { buildExecutable } from './build.ts'

const work = mkdtempSync(join(tmpdir(), 'kron-executable-test-'))
after(() => rmSync(work, { recursive: true }))

const kron = await buildExecutable(join(work, 'one'))
const tell = (program: string, ...words: string[]): string =>
  execFileSync(program, words, { encoding: 'utf8' })

test('two builds are the same bytes, also on a busy machine', async t => {
  const busy = Array.from({ length: 3 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  t.after(() => {
    for (const each of busy) each.kill('SIGKILL')
  })
  const sum = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(sum(await buildExecutable(join(work, 'two'))), sum(kron))
})

test('the version is told without loading a program, in the words of the program', () => {
  for (const name of ['krond', 'krontab']) {
    const source = join(root, `packages/${name}/src/bin/${name}.ts`)
    const own = tell(process.execPath, '--conditions=kron-source', source, '--version')
    assert.equal(tell(kron, name, '--version'), own)
  }
})

test('a link makes it the program of that name, and no other name is one', () => {
  for (const name of ['krond', 'krontab', 'crontab', 'kronctl']) {
    const link = join(work, name)
    symlinkSync(kron, link)
    assert.match(tell(link, '--version'), new RegExp(`^${name} \\d`))
    assert.equal(tell(link, '--help'), tell(kron, name, '--help'))
  }
  const { status, stderr } = spawnSync(kron, ['anacron'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /there is no program "anacron"/)
})

test('a pipe takes all that a program prints before the executable exits', () => {
  const file = join(work, 'install.yaml')
  execFileSync(kron, ['kronctl', 'install', '--print'], { stdio: ['ignore', openSync(file, 'w'), 'inherit'] })
  const { length } = readFileSync(file)
  assert.ok(length > 2 ** 18, `${length}`)
  assert.equal(Number(tell('sh', '-c', '"$1" kronctl install --print | wc -c', 'sh', kron)), length)
})

test('output that cannot be written is an error of every program, with its own exit code', () => {
  for (const [code, ...words] of [
    [1, 'kronctl', 'install', '--print'],
    [1, 'kronctl', '--version'],
    [1, 'krond', '--help'],
    [1, 'krond', '--version'],
    [2, 'krontab', '--help'],
    [2, 'krontab', '--version'],
    [1, 'crontab', '-V'],
    [1, 'crontab', '--version'],
    [1, '--help'],
  ] as const) {
    const { status, stderr } = spawnSync(kron, words, {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    const line = words.join(' ')
    assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n', line)
    assert.equal(status, code, line)
  }
})
