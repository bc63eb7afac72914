import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UTC } from '@kron/core'
import { mailOfMistakes, mailOfRun } from './mail.ts'
import { parseCrontab } from './parse.ts'

const entryOf = (text: string) =>
  parseCrontab(text, '/spool/ada', {
    owner: 'ada',
    zone: UTC,
    windowNs: 0,
    uid: 0,
    findUser: name => ({ name, uid: 1000, gid: 1000, home: '/home/ada', shell: '/bin/sh' }),
    listScripts: undefined,
  }).entries[0]!

const printed = (text: string) => ({
  pieces: [{ kind: 'out' as const, data: Buffer.from(text) }],
  totalBytes: Buffer.byteLength(text),
})

test('a mail has the headers and the body that cron sends', () => {
  const mail = mailOfRun(entryOf('* * * * * echo hi %% there\n'), printed('hi\n'), 'box')
  assert.deepEqual(mail?.to, ['ada'])
  assert.equal(
    mail.message.toString(),
    [
      'From: root (Cron Daemon)',
      'To: ada',
      'Subject: Cron <ada@box> echo hi ',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      'X-Cron-Env: <SHELL=/bin/sh>',
      'X-Cron-Env: <PATH=/usr/bin:/bin>',
      'X-Cron-Env: <HOME=/home/ada>',
      'X-Cron-Env: <LOGNAME=ada>',
      'X-Cron-Env: <USER=ada>',
      '',
      'hi\n',
    ].join('\n'),
  )
})

test('MAILTO names the recipients, and only names that cannot be taken for options', () => {
  const to = (value: string) => mailOfRun(entryOf(`MAILTO=${value}\n* * * * * x\n`), printed('x'), 'box')?.to
  assert.deepEqual(to('a@example.org,b'), ['a@example.org', 'b'])
  assert.deepEqual(to('"-Cattack.cf, root"'), ['root'])
  assert.deepEqual(to('"a;touch /tmp/x"'), [])
  assert.deepEqual(to('|/bin/sh'), [])
})

test('nothing is mailed if nothing was printed or MAILTO is empty', () => {
  assert.equal(mailOfRun(entryOf('* * * * * x\n'), { pieces: [], totalBytes: 0 }, 'box'), undefined)
  assert.equal(mailOfRun(entryOf('MAILTO=""\n* * * * * x\n'), printed('x'), 'box'), undefined)
})

test('MAILFROM, CONTENT_TYPE and CONTENT_TRANSFER_ENCODING go into the header', () => {
  const text =
    'MAILFROM=cron@example.org\nCONTENT_TYPE="text/html"\nCONTENT_TRANSFER_ENCODING=7bit\n* * * * * x\n'
  const message = mailOfRun(entryOf(text), printed('x'), 'box')?.message.toString()
  assert.match(message!, /^From: cron@example.org \(Cron Daemon\)\n/)
  assert.match(message!, /\nContent-Type: text\/html\nContent-Transfer-Encoding: 7bit\n/)
})

test('a long output says how much of it was not kept', () => {
  const output = {
    pieces: [...printed('first\n').pieces, { kind: 'gap' as const, bytes: 7 }, ...printed('last\n').pieces],
    totalBytes: 18,
  }
  const message = mailOfRun(entryOf('* * * * * x\n'), output, 'box')?.message.toString()
  assert.ok(message?.endsWith('first\n\n[7 bytes were not kept]\nlast\n'))
})

test('the owner of a crontab with mistakes is told which', () => {
  const { to, message } = mailOfMistakes('ada', '/spool/ada', ['line 3: bad minute'], 'box')
  assert.deepEqual(to, ['ada'])
  assert.match(message.toString(), /Subject: .* \/spool\/ada is ignored\n.*line 3: bad minute/s)
})
