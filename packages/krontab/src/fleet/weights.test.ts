import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Curves } from '@kron/host'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-weights-')))
after(() => rmSync(here, { recursive: true }))
const config = join(here, 'krond')
mkdirSync(join(config, 'weights'), { recursive: true, mode: 0o755 })
const write = (name: string, text: string): void => writeFileSync(join(config, name), text, { mode: 0o644 })
const run = (line: string) =>
  krontab(line.split(' '), {
    cwd: here,
    uid: 1_000,
    env: { HOME: here, XDG_CONFIG_HOME: here },
    now: 1_772_323_200,
    curves: new Curves(),
  })

const JOB =
  '0 22 * * * @win(after,8h) @dist(weights,file=tariff) @policy(deadline=1m) name=a command=/bin/true\n'
const NEXT = 'next a --count 20 --at 2026-03-01T00:00:00Z --format json'
const PERIOD = 'explain a --period 2026-03-01T22:00:00Z'
write('jobs.kron', JOB)

test('starts follow the curve, and decision and explanation carry the digest of its file', async () => {
  write('weights/tariff.csv', 'start,weight\n00:00,0\n02:00,1\n03:00,0\n')
  const { out, err } = await run(NEXT)
  const { decisions } = JSON.parse(out)
  assert.equal(err, '')
  for (const { chosenTime, weightsDigest, distribution, params } of decisions) {
    assert.match(chosenTime, /T02:/)
    assert.match(weightsDigest, /^[0-9a-f]{64}$/)
    assert.deepEqual([distribution, params], ['weights', { file: 'tariff' }])
  }
  const explained = await run(PERIOD)
  assert.match(explained.out, /spread {4}weights,file=tariff/)
  assert.match(explained.out, /weights {3}tariff [0-9a-f]{64}\n/)
  assert.match(explained.out, /^ *█+\n/m, 'the curve is drawn: one block of columns')
})

test('without the file the window is spread evenly; every command warns, and krontab goes on', async () => {
  rmSync(join(config, 'weights/tariff.csv'))
  const { out, err, code } = await run(NEXT)
  assert.equal(code, 0)
  assert.match(err, /warning: there is no file .*weights\/tariff\.csv; its jobs spread evenly/)
  assert.deepEqual(
    [...new Set(JSON.parse(out).decisions.map((each: { weightsFallback: string }) => each.weightsFallback))],
    ['missing'],
  )
  assert.match(
    (await run(PERIOD)).out,
    /weights {3}tariff: spread evenly, because the weights file is missing/,
  )
  const lint = await run('lint --at 2026-03-01T00:00:00Z')
  assert.equal(lint.code, 0)
  assert.match(lint.out, /there is no file .*tariff\.csv.*\[weights\]/)
})

test('a file with mistakes is told with its line, and a stale curve with its period', async () => {
  write('weights/tariff.csv', '00:00,1\n01:00,many\n')
  assert.match((await run(NEXT)).err, /tariff\.csv:2: "many" is not a weight/)
  write('weights/tariff.csv', '2026-03-01T22:00:00Z,1\n2026-03-02T03:00:00Z,9\n')
  const { err } = await run(NEXT)
  assert.match(err, /warning: 19 periods spread evenly: the weights do not cover the window/)
  assert.doesNotMatch((await run('lint --at 2026-03-01T00:00:00Z')).out, /\[weights\]/)
  const lint = await run('lint --at 2026-03-02T00:00:00Z')
  assert.match(lint.out, /the weights "tariff" do not cover the window of 2026-03-02T22:00:00Z/)
})

test('lint tells how likely weights and constraints together leave no time', async () => {
  write('jobs.kron', JOB.replace('@policy', '@only(hours=22-23) @policy'))
  write('weights/tariff.csv', '00:00,1\n06:00,0\n22:00,0.001\n')
  const { out } = await run('lint --at 2026-03-01T00:00:00Z')
  assert.match(out, /32 of the next 32 periods may find no allowed time/)
  write('weights/tariff.csv', '00:00,1\n')
  assert.doesNotMatch((await run('lint --at 2026-03-01T00:00:00Z')).out, /may find no allowed time/)
})
