import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { machineHash } from '@kron/host'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = mkdtempSync(join(tmpdir(), 'kron-fleet-'))
after(() => rmSync(here, { recursive: true }))
const write = (name: string, text: string): string => {
  writeFileSync(join(here, name), text, { mode: 0o644 })
  return name
}
const AT = '2026-03-01T00:00:00Z'
const run = (line: string, parts = {}) => krontab(line.split(' '), { cwd: here, ...parts })
const chosenOf = async (line: string, parts = {}): Promise<string> => {
  const { out, err, code } = await run(`${line} --count 1 --at ${AT} --format json`, parts)
  assert.equal(code, 0, err)
  return JSON.parse(out).decisions[0].chosenTime
}

write('plain.kron', '0 2 * * * @win(after,2h) name=backup command=/bin/true\n')
write('salted.kron', '0 2 * * * @win(after,2h) @seed(stable,salt=%H) name=backup command=/bin/true\n')

test('a laptop names the second of each of 1,000 hosts, and they are spread', async () => {
  const seconds = new Map<string, number>()
  const hosts = Array.from({ length: 1_000 }, (_, i) => `web${i}.example.org`)
  for (const host of hosts) {
    const chosen = await chosenOf(`next backup --file salted.kron --as /etc/krond.d --host ${host}`)
    seconds.set(chosen, (seconds.get(chosen) ?? 0) + 1)
  }
  assert.ok(seconds.size >= 900, `${seconds.size} different seconds`)
  assert.ok(Math.max(...seconds.values()) <= 4)
  write('fleet.txt', hosts.map(host => `${host}\n`).join(''))
  const { out } = await run(
    `forecast --file salted.kron --as /etc/krond.d --hosts fleet.txt --at ${AT} --bucket 1s --for 5h --format json`,
  )
  const forecast = JSON.parse(out)
  const counted = forecast.buckets.filter((bucket: { kron: number }) => bucket.kron > 0)
  assert.deepEqual(
    Object.fromEntries(counted.map((bucket: { start: string; kron: number }) => [bucket.start, bucket.kron])),
    Object.fromEntries([...seconds].sort(([a], [b]) => (a < b ? -1 : 1))),
  )
  assert.equal(forecast.hosts, 1_000)
  for (const { second, starts, runs } of forecast.busiestSeconds) {
    assert.equal(seconds.get(second), starts)
    for (const { host, job } of runs) {
      assert.equal(await chosenOf(`next ${job} --file salted.kron --as /etc/krond.d --host ${host}`), second)
    }
  }
})

test('the default salt of krond.conf holds for jobs without one, and only for them', async () => {
  const confFile = join(here, write('krond.conf', 'salt = %m\n'))
  const parts = { confFile, place: () => ({ host: 'web1', machine: 'a'.repeat(32) }) }
  const plain = 'next backup --file plain.kron --as /etc/krond.d'
  const own = 'next backup --file salted.kron --as /etc/krond.d'
  assert.equal(await chosenOf(plain, parts), await chosenOf(`${plain} --salt ${'a'.repeat(32)}`))
  assert.notEqual(await chosenOf(plain, parts), await chosenOf(plain))
  assert.equal(await chosenOf(own, parts), await chosenOf(`${own} --host web1`))
  assert.equal(await chosenOf(`${plain} --salt blue`, parts), await chosenOf(`${plain} --salt blue`))
  const variable = { ...parts, env: { KROND_SALT: 'blue' } }
  assert.equal(await chosenOf(plain, variable), await chosenOf(`${plain} --salt blue`))
  const { out } = await run(`explain backup --file plain.kron --at ${AT}`, parts)
  assert.match(out, new RegExp(`salt "${'a'.repeat(32)}" \\(%m from ${confFile}\\)`))
})

test('a machine id is hashed before it becomes a salt', async () => {
  const id = '0123456789abcdef0123456789abcdef'
  const { out } = await run(`explain backup --file plain.kron --at ${AT} --salt %m --machine-id ${id}`)
  assert.match(out, new RegExp(machineHash(id)))
  assert.doesNotMatch(out, new RegExp(id))
})

test('mistakes about hosts and salts say what to do', async () => {
  write('bad.txt', 'web1\nweb2 ABC\n')
  write('long.txt', 'x'.repeat(100_000))
  write('broken.conf', 'slat = %m\n')
  const mistakes: [line: string, expected: RegExp, parts?: object][] = [
    ['next --file plain.kron --machine-id web1', /--machine-id must be 32 lower-case hex digits/],
    ['next --file plain.kron --salt %x', /--salt: unknown specifier "%x"/],
    ['next --file plain.kron --salt %m --host web1', /needs the machine id of web1.*\n.*--machine-id/],
    ['next --file plain.kron --salt %m --host web9 --hosts bad.txt', /bad\.txt:2: "ABC" is not the hash/],
    ['forecast --file plain.kron --hosts long.txt', /long\.txt:1: the line is too long/],
    ['forecast --file plain.kron --hosts none.txt', /cannot read none\.txt/],
    [
      'next --file plain.kron',
      /broken\.conf:1: unknown setting "slat"/,
      { confFile: join(here, 'broken.conf') },
    ],
  ]
  for (const [line, expected, parts] of mistakes) {
    const { code, err } = await run(line, parts)
    assert.equal(code, 2, line)
    assert.match(err, expected)
  }
})

test('a mistake in a salt is not taken for an unknown machine, whatever the salt says', async () => {
  const hintOf = async (salt: string): Promise<string> =>
    (await krontab(['explain', `0 2 * * * @win(after,2h) @seed(stable,salt="${salt}")`])).err.split('\n')[1]!
  assert.match(await hintOf('machine id %x'), /^ {2}hint: specifiers are %H/)
  assert.match(await hintOf('machine id %m'), /^ {2}hint: name the machine with --machine-id/)
})

test('a file of hosts is read across pieces, comments and Windows line ends', async () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `host-number-${i}.example.org`)
  write('many.txt', `# all of them\r\n\r\n${names.join('\r\n')}`)
  const { out } = await run(`forecast --file plain.kron --hosts many.txt --at ${AT} --format json`)
  const { hosts, kron, plain } = JSON.parse(out)
  assert.deepEqual([hosts, kron.total, plain.total], [5_000, 5_000, 5_000])
})

test('a name beyond ASCII in a file of hosts is the name that --host takes', async () => {
  // The names cross the 64 KiB pieces in which the file is read.
  const names = Array.from({ length: 6_000 }, (_, i) => `münchen-${i}`)
  write('umlauts.txt', names.map(name => `${name}\n`).join(''))
  const { out } = await run(
    `forecast --file salted.kron --as /etc/krond.d --hosts umlauts.txt --at ${AT} --for 5h --format json`,
  )
  for (const { second, runs } of JSON.parse(out).busiestSeconds)
    for (const { host } of runs) {
      assert.ok(names.includes(host), host)
      const line = `next backup --file salted.kron --as /etc/krond.d --host ${host}`
      assert.equal(await chosenOf(line), second)
    }
})
