import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findZone, MINUTE, printSchedule, UTC } from '@kron/core'
import { type CrontabOptions, parseCrontab } from './parse.ts'

const SYSTEM: CrontabOptions = {
  owner: undefined,
  zone: UTC,
  windowNs: 0,
  uid: 0,
  findUser: name =>
    name === 'nobody-here'
      ? undefined
      : { name, uid: name === 'root' ? 0 : 1000, gid: 0, home: `/home/${name}`, shell: '/bin/bash' },
  listScripts: undefined,
}
const USER: CrontabOptions = { ...SYSTEM, owner: 'ada' }

const names = (text: string, options = SYSTEM): string[] =>
  parseCrontab(text, '/etc/crontab', options).entries.map(({ name }) => name)

test('the identity of a line is its file and a hash of user, schedule and command, so moving a line keeps it', () => {
  const [a, b] = ['0 1 * * * root /bin/a', '0  2 * * * ada /bin/b']
  const first = names(`${a}\n${b}\n`)
  assert.deepEqual(names(`# moved\nX=1\n${b}\n\n${a}\n`), first.toReversed())
  assert.match(first[0]!, /^[0-9a-f]{10}$/)
  assert.notDeepEqual(names('0 1 * * * root /bin/a x\n'), [first[0]])
  assert.notDeepEqual(names('0 1 * * * ada /bin/a\n'), [first[0]])
  assert.deepEqual(names('0 2 * * * ada /bin/b\n'), [first[1]])
})

test('equal lines are told apart by an ordinal', () => {
  const line = '* * * * * root /bin/a\n'
  const [name] = names(line)
  assert.deepEqual(names(line.repeat(3)), [name, `${name}-2`, `${name}-3`])
})

test('a remark on the line above names a job and gives it modifiers', () => {
  const text =
    '# kron: name=backup @win(after,15m) @tz(Europe/Paris)\n0 2 * * * root /bin/backup\n0 2 * * * root b\n'
  const [backup, other] = parseCrontab(text, '/etc/crontab', { ...SYSTEM, windowNs: 10 * MINUTE }).entries
  assert.equal(backup?.identity, '/etc/crontab:backup')
  assert.equal(
    printSchedule(backup!.schedule),
    '0 2 * * * @tz(Europe/Paris) @win(after,15m) @policy(concurrency=allow,deadline=1m)',
  )
  assert.equal(
    printSchedule(other!.schedule),
    '0 2 * * * @win(after,10m) @policy(concurrency=allow,deadline=1m)',
  )
})

test('a remark concerns the very next line and no other', () => {
  for (const between of ['# 0 2 * * * root b\n', '\n', 'A=1\n'])
    assert.notDeepEqual(names(`# kron: name=backup\n${between}0 2 * * * root b\n`), ['backup'], between)
})

test('a mistake in a remark is a mistake of the file', () => {
  for (const remark of ['name=Big', '@win(after)', 'window=3m', '@win(after,1m) and more']) {
    const { faults, entries } = parseCrontab(`# kron: ${remark}\n0 2 * * * root b\n`, '/etc/crontab', SYSTEM)
    assert.equal(entries.length, 0, remark)
    assert.equal(faults[0]?.line, 1, remark)
  }
})

test('variables concern the lines below them, and a crontab can change USER but not LOGNAME', () => {
  const text = 'A=1\n* * * * * one\nA = "2 3"\nLOGNAME=eve\nUSER=eve\nPATH=/opt/bin\n* * * * * two\n'
  const [one, two] = parseCrontab(text, '/spool/ada', USER).entries
  assert.deepEqual(one?.crontab.variables, {
    SHELL: '/bin/sh',
    PATH: '/usr/bin:/bin',
    HOME: '/home/ada',
    A: '1',
    LOGNAME: 'ada',
    USER: 'ada',
  })
  const { A, LOGNAME, USER: named } = two!.crontab.variables
  assert.deepEqual([A, LOGNAME, named], ['2 3', 'ada', 'eve'])
  assert.equal(two?.crontab.variables['PATH'], '/opt/bin')
})

test('CRON_TZ moves the lines below it, RANDOM_DELAY gives them a window', () => {
  const text = 'CRON_TZ=Asia/Tokyo\nRANDOM_DELAY=20\n0 1 * * * a\n'
  const [a] = parseCrontab(text, '/spool/ada', { ...USER, zone: findZone('Europe/Berlin')! }).entries
  assert.equal(
    printSchedule(a!.schedule),
    '0 1 * * * @tz(Asia/Tokyo) @win(after,20m) @policy(concurrency=allow,deadline=1m)',
  )
})

test('the output goes by mail to the user, to MAILTO, or nowhere if that is empty', () => {
  const text =
    '* * * * * a\nMAILTO=ops@example.org\nMAILFROM=cron@example.org\n* * * * * b\nMAILTO=""\n* * * * * c\n'
  const [a, b, c] = parseCrontab(text, '/spool/ada', USER).entries
  assert.equal(a?.crontab.mail?.to, 'ada')
  assert.deepEqual([b?.crontab.mail?.to, b?.crontab.mail?.from], ['ops@example.org', 'cron@example.org'])
  assert.equal(c?.crontab.mail, null)
})

test('cron ignores a file with a bad line, an unknown user or no line end', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['* * * * * root a\n61 * * * * root b\n', /61/],
    ['* * * * * nobody-here b\n', /no user "nobody-here"/],
    ['* * * * * root a', /no line end/],
    ['* * * * root\n', /five time fields|no command|user/],
    ['@fortnightly root a\n', /@fortnightly/],
    ['5/15 * * * * root a\n', /5\/15/],
    ['EMPTY=\n* * * * * root a\n', /EMPTY has no value/],
    ['A="x\n* * * * * root a\n', /five time fields/],
    ["A='b' c\n* * * * * root a\n", /five time fields/],
    ['@Daily root a\n', /@Daily/],
  ]
  for (const [text, message] of bad) {
    const { entries, faults } = parseCrontab(text, '/etc/crontab', SYSTEM)
    assert.deepEqual(entries, [], text)
    assert.match(faults[0]!.message, message)
  }
  assert.equal(names('# caf\uFFFD\n* * * * * root a\n').length, 1)
})

test('a line or setting that cron accepts without effect is reported, and the other lines run', () => {
  const odd: readonly (readonly [string, RegExp])[] = [
    ['CRON_TZ=Mars/Olympus', /Mars.*keep UTC/],
    ['RANDOM_DELAY=soon', /no delay/],
    ['=b', /without a name/],
    ['* * * * * caf\uFFFD', /UTF-8/],
    ['5-2 * * * * b', /never runs/],
    ['0 0 * * 7-1 b', /never runs/],
    ['0 0 31-1 * * b', /never runs/],
    ['* * * * *', /no command/],
    ['@daily', /no command/],
  ]
  for (const [line, message] of odd) {
    const { entries, faults, refused } = parseCrontab(`${line}\n* * * * * a\n`, '/spool/ada', USER)
    assert.deepEqual([faults, entries.length], [[], 1], line)
    assert.match(refused[0]!.message, message, line)
  }
})

test('fields that only cron accepts mean what they mean to cron', () => {
  const meant: readonly (readonly [string, string])[] = [
    ['*-5 1 * * *', '* 1 * * *'],
    ['*x 1 * * *', '* 1 * * *'],
    ['1-5-9 1 * * *', '1-5 1 * * *'],
    ['*/20/3 1 * * *', '*/20 1 * * *'],
    ['0 1 * * MON#1', '0 1 * * 1'],
    ['0 1 * * 1,3-2', '0 1 * * 1'],
    ['0 1 31-1 * 1', '0 1 * * 1'],
  ]
  const printed = (fields: string): string =>
    printSchedule(parseCrontab(`${fields} a\n`, '/spool/ada', USER).entries[0]!.schedule)
  for (const [odd, plain] of meant) assert.equal(printed(odd), printed(plain), odd)
})

test('a daemon that is not root refuses the jobs of others and runs its own', () => {
  const text = '* * * * * root a\n* * * * * ada b\n'
  const { entries, faults, refused } = parseCrontab(text, '/etc/crontab', { ...SYSTEM, uid: 1000 })
  assert.deepEqual(
    entries.map(({ command, settings }) => [command, settings.user]),
    [['b', null]],
  )
  assert.deepEqual([faults.length, refused.length, refused[0]?.line], [0, 1, 1])
})

test('a random field of cronie stays what it was for as long as the line does', () => {
  const minutesOf = (line: string): string =>
    printSchedule(parseCrontab(line, '/etc/crontab', SYSTEM).entries[0]!.schedule)
  const line = '0~59 3 * * * root a\n'
  assert.equal(minutesOf(line), minutesOf(line))
  const all = new Set(Array.from({ length: 40 }, (_, i) => minutesOf(`0~59 3 * * * root a${i}\n`)))
  assert.ok(all.size > 10)
})

test('each script of a run-parts line becomes a job of its own in place of the run-parts', () => {
  const text =
    '25 6 * * * root\ttest -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }\n17 * * * * root cd / && run-parts --report /etc/cron.hourly\n'
  const { entries } = parseCrontab(text, '/etc/crontab', {
    ...SYSTEM,
    listScripts: directory => (directory === '/etc/cron.daily' ? ['apt-compat', 'man_db'] : []),
  })
  assert.deepEqual(
    entries.map(({ name, command }) => [name, command]),
    [
      ['daily/apt-compat', 'test -x /usr/sbin/anacron || { cd / && /etc/cron.daily/apt-compat; }'],
      ['daily/man-db', 'test -x /usr/sbin/anacron || { cd / && /etc/cron.daily/man_db; }'],
    ],
  )
  assert.equal(names(text).length, 2)
})

test('the line that docs/guides/in-crons-place.md shows is what it says', () => {
  const page = readFileSync(new URL('../../../../docs/guides/in-crons-place.md', import.meta.url), 'utf8')
  const text = /^```crontab [^\n]*\n(.*?)^```/ms.exec(page)![1]!
  const { entries, faults } = parseCrontab(text, '/etc/crontab', SYSTEM)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    entries.map(({ name, schedule }) => [name, schedule.window.duration]),
    [['backup', 15 * MINUTE]],
  )
})
