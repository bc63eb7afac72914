import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { printPauses } from '@kron/host'
import { krontab } from '@kron/testkit/krontab/run-krontab'

test('next answers for a schedule that is in no file', async () => {
  const { code, out } = await krontab(
    ['next', '0 2 * * * @tz(Europe/Paris)', '--count', '2', '--at', '2026-03-01'],
    {},
  )
  assert.equal(code, 0)
  assert.match(out, /2026-03-01T01:00:00Z.*\n.*2026-03-02T01:00:00Z/)
})

test('a schedule that is in no file has the time zone of this host, as a job has', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-text-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const schedule = '0 2 * * * @tz(Europe/Paris)'
  writeFileSync(`${directory}/jobs.kron`, `${schedule} name=a command=/bin/true\n`)
  const dataOf = async (...words: string[]): Promise<string> => {
    const { out } = await krontab(['next', ...words, '--count', '1', '--format', 'json'], {})
    return JSON.parse(out).decisions[0].zoneData
  }
  const ofJob = await dataOf('a', '--file', `${directory}/jobs.kron`)
  assert.equal(await dataOf(schedule), ofJob)
  assert.ok(ofJob.length > 0)
})

test('next, explain and forecast say which of the periods a planned freeze will cost', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-freeze-`)
  t.after(() => rmSync(directory, { recursive: true }))
  mkdirSync(`${directory}/krond`)
  writeFileSync(
    `${directory}/jobs.kron`,
    '0 * * * * name=a command=/bin/true\n0 * * * * name=b command=/bin/true\n',
  )
  const now = Date.UTC(2026, 2, 1) / 1_000
  const pause = { id: 'x', from: now + 1_800, until: now + 3 * 3_600, reason: 'a move', user: 'ada', at: now }
  writeFileSync(
    `${directory}/krond/pauses.json`,
    printPauses([{ ...pause, identity: `${directory}/jobs.kron:a` }]),
  )
  const parts = { now, uid: 1_000, env: { XDG_STATE_HOME: directory, HOME: directory } }
  const next = async (job: string) =>
    (await krontab(['next', job, '--file', `${directory}/jobs.kron`, '--count', '5'], parts)).out
  assert.match(
    await next('a'),
    /paused: a from 2026-03-01T00:30:00Z until 2026-03-01T03:00:00Z \(a move\); 2 periods of these will not run/,
  )
  assert.equal((await next('a')).match(/paused: will not run/g)?.length, 2)
  assert.doesNotMatch(await next('b'), /paused/)
  const ask = async (...words: string[]) =>
    (await krontab([...words, '--file', `${directory}/jobs.kron`], parts)).out
  const json = JSON.parse(await ask('next', 'a', '--count', '2', '--format', 'json'))
  const lost = { identity: `${directory}/jobs.kron:a`, startsAt: null }
  assert.deepEqual(json.paused, [
    { ...lost, periodId: '2026-03-01T01:00:00Z' },
    { ...lost, periodId: '2026-03-01T02:00:00Z' },
  ])
  assert.match(
    await ask('explain', 'a', '--period', '2026-03-01T01:00:00Z'),
    /paused: a from .*; 1 period of these will not run/,
  )
  const forecast = await ask('forecast', '--for', '5h', '--bucket', '1h')
  assert.match(forecast, /paused: a from .*\(a move\)\n2 starts will not happen because of pauses/)
  assert.match(forecast, /starts +8 +8\n/)
  const outlook = JSON.parse(await ask('forecast', '--for', '5h', '--bucket', '1h', '--format', 'json'))
  assert.equal(outlook.lostToPauses, 2)
})

test('pauses are found in the state directory that the environment or krond.conf names', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-pauses-`)
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(`${directory}/jobs.kron`, '0 * * * * name=a command=/bin/true\n')
  const now = Date.UTC(2026, 2, 1) / 1_000
  const pause = { id: 'x', from: now, until: null, reason: '', user: 'ada', at: now, identity: null }
  writeFileSync(`${directory}/pauses.json`, printPauses([pause]))
  const confFile = `${directory}/krond.conf`
  writeFileSync(confFile, `state-dir = ${directory}\n`)
  const words = ['next', 'a', '--file', `${directory}/jobs.kron`, '--count', '1']
  const next = async (parts: object) => (await krontab(words, { now, uid: 1_000, ...parts })).out
  assert.match(await next({ env: { KROND_STATE_DIR: directory } }), /paused: all jobs/)
  assert.match(await next({ env: {}, confFile }), /paused: all jobs/)
  assert.doesNotMatch(await next({ env: {} }), /paused/)
})
