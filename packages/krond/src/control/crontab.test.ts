import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { UserAccount } from '@kron/host'
import { answerCrontab } from './crontab.ts'

const USERS: readonly UserAccount[] = [
  { name: 'ada', uid: process.getuid?.() ?? 0, gid: 0, home: '/', shell: '/bin/sh' },
  { name: 'eve', uid: 4_001, gid: 0, home: '/', shell: '/bin/sh' },
]
const accounts = { findUser: (id: string) => USERS.find(({ uid }) => String(uid) === id) }
const [ADA, EVE] = [USERS[0]!.uid, 4_001]

function makeSpool(context: TestContext): string {
  const spool = mkdtempSync(join(tmpdir(), 'spool-'))
  context.after(() => rmSync(spool, { recursive: true }))
  return spool
}

test('a user reads and changes the own crontab, whatever the request says', t => {
  const spool = makeSpool(t)
  const ask = (command: object, uid: number) =>
    answerCrontab(command, uid, spool, { accounts, rulesDirectory: spool })
  const text = '0 2 * * * backup\n'
  assert.deepEqual(ask({ action: 'install', text, user: 'eve' }, ADA), { ok: {} })
  assert.deepEqual(readdirSync(spool), ['ada'])
  assert.deepEqual(ask({ action: 'list' }, ADA), { ok: { text, path: join(spool, 'ada') } })
  assert.deepEqual(ask({ action: 'list', user: 'ada' }, EVE), {
    ok: { text: null, path: join(spool, 'eve') },
  })
  assert.deepEqual(ask({ action: 'remove', user: 'ada' }, EVE), { ok: { removed: false } })
  assert.equal(readFileSync(join(spool, 'ada'), 'utf8'), text)
  assert.deepEqual(ask({ action: 'remove' }, ADA), { ok: { removed: true } })
})

test('a crontab with a mistake, or no text at all, changes nothing', t => {
  const spool = makeSpool(t)
  const ask = (command: object) => answerCrontab(command, ADA, spool, { accounts, rulesDirectory: spool })
  for (const text of ['61 * * * * x\n', 'no newline', '* * * * * a\0b\n', 7, undefined, { length: 1 }])
    assert.ok('error' in ask({ action: 'install', text }), String(text))
  assert.ok('error' in ask({ action: 'destroy' }))
  assert.ok('error' in ask({}))
  assert.deepEqual(readdirSync(spool), [])
})

test('cron.allow and cron.deny decide who may use crontab, and a stranger never', t => {
  const spool = makeSpool(t)
  const rules = mkdtempSync(join(tmpdir(), 'rules-'))
  t.after(() => rmSync(rules, { recursive: true }))
  const may = (uid: number) =>
    'ok' in answerCrontab({ action: 'list' }, uid, spool, { accounts, rulesDirectory: rules })
  assert.equal(may(EVE), true)
  writeFileSync(join(rules, 'cron.deny'), 'eve\n')
  assert.equal(may(EVE), false)
  writeFileSync(join(rules, 'cron.allow'), 'eve\n')
  assert.equal(may(EVE), true)
  writeFileSync(join(rules, 'cron.allow'), 'ada\n')
  assert.equal(may(EVE), false)
  assert.equal(may(9_999), false)
})

test('a link in place of a crontab is not followed', t => {
  const spool = makeSpool(t)
  const secret = join(spool, 'tmp.secret')
  writeFileSync(secret, 'secret\n')
  symlinkSync(secret, join(spool, 'ada'))
  const ask = (command: object) => answerCrontab(command, ADA, spool, { accounts, rulesDirectory: spool })
  assert.doesNotMatch(JSON.stringify(ask({ action: 'list' })), /secret\\n/)
  assert.deepEqual(ask({ action: 'install', text: '* * * * * x\n' }), { ok: {} })
  assert.equal(readFileSync(secret, 'utf8'), 'secret\n')
  assert.ok(existsSync(join(spool, 'ada')))
})
