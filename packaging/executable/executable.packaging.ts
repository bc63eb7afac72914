/** The single executable: its bytes, and the programs in it. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
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
