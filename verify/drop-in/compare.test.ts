import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, table } from './compare.ts'
import type { Seen } from './stage.ts'

const SKIP = 1_774_746_000

const command = (changes: Partial<Seen> = {}): Seen => ({
  kind: 'command',
  at: SKIP - 3_600,
  argv: ['/probe', 'a'],
  environment: ['HOME=/root', 'PWD=/root'],
  cwd: '/root',
  uid: '0/0',
  gid: '0/0',
  groups: [0],
  umask: '022',
  nice: 0,
  signals: '',
  descriptors: [0, 1, 2],
  stdin: '',
  ...changes,
})
const mail = (stdin: string): Seen => command({ kind: 'mail', argv: ['sendmail', '-i', 'root'], stdin })

/** Property and explanation of each difference. */
const found = (cron: readonly Seen[], krond: readonly Seen[]) =>
  compare(cron, krond, [SKIP]).differences.map(({ property, explanation }) => [property, explanation])

test('equal commands do not differ, whatever the second of the minute', () => {
  assert.deepEqual(found([command()], [command({ at: SKIP - 3_601 + 59 })]), [])
})

test('every property is compared, and what the guide does not tell of is not explained', () => {
  const others: Partial<Seen>[] = [
    { argv: ['/probe', 'a', 'b'] },
    { environment: ['HOME=/', 'PWD=/root'] },
    { cwd: '/' },
    { uid: '0/1' },
    { gid: '1/1' },
    { groups: [0, 1] },
    { umask: '027' },
    { stdin: 'x' },
    { nice: 1 },
    { signals: 'SigIgn: 6' },
    { descriptors: [0, 1, 2, 3] },
  ]
  for (const other of others) {
    const property = Object.keys(other)[0]!
    assert.deepEqual(found([command()], [command(other)]), [[property, undefined]])
  }
  assert.deepEqual(found([command()], [command({ at: SKIP - 3_660 })]), [['start minute', undefined]])
  assert.deepEqual(found([command()], []), [['start minute', undefined]])
  assert.deepEqual(found([mail('probe a\n')], []), [
    ['mail', undefined],
    ['number of mails', undefined],
  ])
  const twice = [mail('probe a\n'), mail('probe a\n')]
  assert.deepEqual(found(twice, [mail('probe a\n')]), [['number of mails', undefined]])
})

test('the differences that the guide tells of are explained', () => {
  const user = command({ environment: ['HOME=/root', 'PWD=/root', 'USER=root'] })
  assert.deepEqual(found([command()], [user]), [['environment', 'USER']])
  const [theirs, ours] = ['/var/spool/cron', '/'].map(cwd =>
    command({ cwd, environment: ['HOME=/root', `PWD=${cwd}`] }),
  )
  assert.deepEqual(found([theirs!], [ours!]), [
    ['environment', 'a home directory that does not exist'],
    ['cwd', 'a home directory that does not exist'],
  ])
  const madeUp = [0, 10, 60].map(seconds => command({ at: SKIP + seconds }))
  assert.deepEqual(found(madeUp, [command({ at: SKIP })]), [['start minute', 'times that the clock skips']])
  // Not if krond does not make up for them at all.
  assert.deepEqual(found([command(), ...madeUp], [command()]), [['start minute', undefined]])
})

test('the table counts lines by property', () => {
  const text = table(compare([command()], [command({ umask: '027' })], []))
  assert.match(text, /^umask +0 +0 +1$/m)
  assert.match(text, /^cwd +1 +0 +0$/m)
  assert.match(text, /^umask: NOT EXPLAINED \(1 lines\)/m)
})
