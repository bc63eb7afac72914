import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hostAccounts } from '@kron/host'
import { runRecorded } from '@kron/testkit/krontab/run-krontab'
import { parseCrontabArguments } from './arguments.ts'
import { crontab } from './main.ts'
import { spoolTables } from './tables.ts'

const { username, uid } = userInfo()

function makePlace(context: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'spool-'))
  context.after(() => rmSync(directory, { recursive: true }))
  const parts = { accounts: hostAccounts(), tables: spoolTables(directory) }
  const run = (words: readonly string[], env: Record<string, string> = {}) =>
    runRecorded(context => crontab(words, context, parts), { cwd: directory, uid, env })
  return { directory, run, own: join(directory, username) }
}

test('a crontab is installed, listed and removed', async t => {
  const { directory, run, own } = makePlace(t)
  writeFileSync(join(directory, 'tmp.table'), '0 2 * * * backup\n')
  assert.deepEqual(await run(['tmp.table']), { code: 0, out: '', err: '' })
  assert.equal(statSync(own).mode & 0o777, 0o600)
  assert.equal((await run(['-l'])).out, '0 2 * * * backup\n')
  assert.equal((await run(['-r'])).code, 0)
  const none = await run(['-l'])
  assert.deepEqual([none.code, none.out], [1, ''])
  assert.match(none.err, /no crontab for/)
  assert.deepEqual(readdirSync(directory), ['tmp.table'])
})

test('a crontab with mistakes is not installed, and every mistake is shown', async t => {
  const { directory, run, own } = makePlace(t)
  writeFileSync(join(directory, 'tmp.table'), '0 2 * * * good\n')
  await run(['tmp.table'])
  writeFileSync(join(directory, 'tmp.table'), '61 2 * * * a\n0 2 * * * b\n0 2 * *\n')
  for (const words of [['tmp.table'], ['-T', 'tmp.table']]) {
    const { code, err } = await run(words)
    assert.equal(code, 1)
    assert.match(err, /61/)
    assert.match(err, /:3:/)
  }
  assert.equal(readFileSync(own, 'utf8'), '0 2 * * * good\n')
})

test('crontab -e installs what the editor wrote, and leaves the crontab as it was after a mistake', async t => {
  const { directory, run, own } = makePlace(t)
  const editor = join(directory, 'tmp.editor')
  writeFileSync(editor, '#!/bin/sh\necho "$LINE" > "$1"\n')
  chmodSync(editor, 0o755)
  const edit = (line: string) => run(['-e'], { EDITOR: `env LINE='${line}' ${editor}` })
  assert.equal((await edit('5 5 * * * x')).code, 0)
  assert.equal(readFileSync(own, 'utf8'), '5 5 * * * x\n')
  const bad = await edit('5 55 * * * x')
  assert.equal(bad.code, 1)
  assert.match(bad.err, /your edit is kept in (\S+)/)
  rmSync(join(/kept in (\S+)/.exec(bad.err)![1]!, '..'), { recursive: true })
  assert.equal(readFileSync(own, 'utf8'), '5 5 * * * x\n')
  assert.match((await run(['-e'], { EDITOR: 'true' })).err, /nothing was changed/)
})

test('only root may use the crontab of somebody else', async t => {
  const { directory } = makePlace(t)
  const accounts = {
    findUser: (name: string) => ({
      name: name === '1000' ? 'ada' : name,
      uid: name === 'eve' ? 1001 : 1000,
      gid: 1000,
      home: '/',
      shell: '/bin/sh',
    }),
  }
  const parts = { accounts, tables: spoolTables(directory) }
  for (const words of [
    ['-u', 'eve', '-l'],
    ['-ueve', '-r'],
    ['-u', 'eve', '/dev/null'],
  ]) {
    const { code, err } = await runRecorded(context => crontab(words, context, parts), { uid: 1000 })
    assert.equal(code, 1)
    assert.match(err, /only root/)
  }
})

test('options are read as crontab(1) reads them', () => {
  assert.deepEqual(parseCrontabArguments(['-u', 'ada', '-l']), { action: 'list', user: 'ada' })
  assert.deepEqual(parseCrontabArguments(['-lu', 'ada']), { action: 'list', user: 'ada' })
  assert.deepEqual(parseCrontabArguments(['-ir']), { action: 'remove', user: undefined, asks: true })
  assert.deepEqual(parseCrontabArguments(['-']), { action: 'install', file: '-', user: undefined })
  assert.deepEqual(parseCrontabArguments(['-T', 'x']), { action: 'test', file: 'x', user: undefined })
  for (const words of [[], ['-l', '-r'], ['a', 'b'], ['-x'], ['-u']])
    assert.equal(parseCrontabArguments(words).action, 'mistake', words.join(' '))
})
