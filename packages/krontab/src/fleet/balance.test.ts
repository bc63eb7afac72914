import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-balance-')))
chmodSync(here, 0o755)
after(() => rmSync(here, { recursive: true }))
const NOW = Date.parse('2026-03-01T13:00:00Z') / 1_000
const run = (line: string) => krontab(line.split(' '), { cwd: here, now: NOW })
const balance = async (line: string) => {
  const { out, err, code } = await run(`balance ${line} --format json`)
  assert.equal(code, 0, err)
  return JSON.parse(out)
}
const write = (name: string, text: string, mode = 0o644): string => {
  writeFileSync(join(here, name), text)
  chmodSync(join(here, name), mode)
  return join(here, name)
}
const JOBS = `# Jobs of the shop.
${Array.from({ length: 30 }, (_, i) => `0 2 * * *   @win(after,1h)\t@policy(deadline=5m) name=job-${i} command="/bin/echo @seed(daily) ${i}"`).join('\n')}

0 4 * * * name=fixed command=/bin/true`

test('--write touches only salts, keeps the mode, and a second run changes nothing', async () => {
  const path = write('a.kron', JOBS, 0o640)
  const seen = await balance('--file a.kron')
  assert.equal(readFileSync(path, 'utf8'), JOBS)
  assert.ok(seen.after.peak < seen.before.peak, `${seen.after.peak} of ${seen.before.peak}`)
  assert.equal(seen.from, '2026-03-01T00:00:00Z')
  const written = await balance('--file a.kron --write')
  assert.deepEqual({ ...written, written: false }, seen)
  const text = readFileSync(path, 'utf8')
  assert.notEqual(text, JOBS)
  assert.equal(text.replace(/ @seed\(stable,salt=~\d+\)/g, ''), JOBS)
  assert.equal(statSync(path).mode & 0o777, 0o640)
  const second = await balance('--file a.kron --write')
  assert.deepEqual([second.changes, second.before], [[], seen.after])
  assert.equal(readFileSync(path, 'utf8'), text)
  assert.match((await run('balance --file a.kron')).out, /Nothing to change: the peak is \d+/)
})

test('jobs of a fleet get salts that differ from host to host', async () => {
  write(
    'b.kron',
    '0 2 * * * @win(after,1h) name=a command=/bin/a\n0 2 * * * @win(after,1h) @seed(stable,salt=x) name=b command=/bin/b\n',
  )
  write('fleet.txt', Array.from({ length: 30 }, (_, i) => `web${i}\n`).join(''))
  const { before, after, changes, hosts } = await balance('--file b.kron --hosts fleet.txt --for 1d')
  assert.equal(hosts, 30)
  assert.ok(before.peak >= 30 && after.peak < 6, `${after.peak} of ${before.peak}`)
  assert.deepEqual(
    changes.map((each: { job: string; to: string }) => [each.job, each.to.replace(/~\d+$/, '')]),
    [
      ['a', '%H'],
      ['b', 'x%H'],
    ],
  )
})

test('what cannot be balanced is refused with what to do', async () => {
  write('c.kron', '* * * * * @win(after,30s) name=a command=/bin/a\n')
  write('none.txt', '# nobody\n')
  write('many.txt', 'web\n'.repeat(2_600))
  const mistakes: [line: string, expected: RegExp][] = [
    ['--file c.kron --hosts none.txt', /none\.txt holds no host/],
    ['--file c.kron --hosts many.txt', /more than 25,000,000 starts to place\n.*--for/],
    ['--file c.kron --for 40d', /longer than 31 days/],
    ['--file c.kron --for 31d --bucket 1s', /more than 100000 buckets/],
  ]
  for (const [line, expected] of mistakes) {
    const { code, err } = await run(`balance ${line}`)
    assert.equal(code, 2, line)
    assert.match(err, expected)
  }
})
