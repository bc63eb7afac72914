import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Krond } from './krond.test-support.ts'

const FAST = { speed: 30 }
const SOON = '* * * * * @policy(deadline=1h)'

const lingering = (krond: Krond): string =>
  `${krond.says}; while ! [ -e ${krond.directory}/go ] && [ -d ${krond.directory} ]; do sleep 0.05; done`

test('an execution outlives a kill -9 of the daemon: the next one adopts it and forbids a second', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(SOON, 'a', lingering(krond))])
  await krond.start()
  const { pid } = await krond.until(line => line.event === 'started', 'the job to start')
  await krond.stop('SIGKILL')
  await krond.start()
  assert.equal(krond.events('adopted')[0]?.['pid'], pid)
  await krond.until(line => line.event === 'skipped_concurrency', 'the next period to be skipped')
  writeFileSync(`${krond.directory}/go`, '')
  await krond.until(line => line.event === 'finished', 'its end to be noticed')
  await krond.stop()
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
  const outcomes = (await krond.state('a'))!.History.map(each => each.Outcome)
  assert.ok(outcomes.includes('skipped') && outcomes.includes('executed'))
})

test('output to syslog goes on through a kill -9 of the daemon, and no job is ended by it', async t => {
  const krond = new Krond(t, FAST)
  const at = (name: string): string => `${krond.directory}/${name}`
  const received = (): string => (existsSync(at('syslog')) ? readFileSync(at('syslog'), 'utf8') : '')
  writeFileSync(at('logger'), `#!/bin/sh\nexec cat >> ${at('syslog')}\n`, { mode: 0o755 })
  const env = { PATH: `${krond.directory}:${process.env['PATH']}` }
  const says = (word: string): string => `echo ${word} $KRON_PERIOD_ID`
  const script = `${says('before')}; ${lingering(krond)}; ${says('after')}; ${says('last')} >> ${at('ends')}`
  krond.write([krond.job(SOON, 'a', script, 'stdout=syslog')])
  await krond.start({ env })
  const { period_id: period } = await krond.until(line => line.event === 'started', 'the job to start')
  await krond.eventually(() => received().includes(`before ${period}\n`), 'its first line')
  await krond.stop('SIGKILL')
  await krond.start({ env })
  writeFileSync(at('go'), '')
  await krond.eventually(() => received().includes(`after ${period}\n`), 'what it wrote after the kill')
  await krond.eventually(
    () => existsSync(at('ends')) && readFileSync(at('ends'), 'utf8').includes(`last ${period}\n`),
    'its proper end',
  )
  await krond.stop()
})

test('an intent whose process is found by its execution id is adopted; without one it is executed, unseen', async t => {
  for (const after of [false, true]) {
    const krond = new Krond(t, FAST)
    krond.write([krond.job(SOON, 'a', lingering(krond))])
    await krond.start({ circumstances: { death: { at: 'launch', after } } })
    assert.equal((await krond.exit).signal, 'SIGKILL')
    const intent = (await krond.state('a'))!.ActiveExecution!
    assert.equal(intent.PID, 0)
    if (after) await krond.eventually(() => krond.ran().length > 0, 'the child to write')
    await krond.start()
    assert.equal(krond.events('adopted').length, after ? 1 : 0)
    writeFileSync(`${krond.directory}/go`, '')
    await krond.until(
      line => line.event === 'finished' && line['execution_id'] === intent.ExecutionID,
      'its end',
    )
    await krond.stop()
    const runs = krond.ran().filter(line => line === `a ${intent.PeriodID}`)
    assert.equal(runs.length, after ? 1 : 0)
    const entry = (await krond.state('a'))!.History.find(each => each.PeriodID === intent.PeriodID)
    assert.deepEqual([entry?.Outcome, entry?.ExitCode, entry?.Reason], ['executed', null, 'unknown'])
  }
})

test('a state file that names a living foreign process is not believed', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job('0 0 1 1 *', 'a')])
  await krond.start()
  await krond.stop()
  const state = JSON.parse(readFileSync(krond.statePath('a'), 'utf8'))
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const active = {
    PeriodID: '2026-01-01T00:00:00Z',
    PID: process.pid,
    StartedAt: '2026-01-01T00:00:00Z',
    ChosenTime: '2026-01-01T00:00:00Z',
    ExecutionID: 'x',
    BootID: bootId,
    BootTime: 0,
    ProcessStart: 1,
  }
  writeFileSync(krond.statePath('a'), JSON.stringify({ ...state, ActiveExecution: active }))
  await krond.start()
  assert.equal(krond.events('adopted').length, 0)
  assert.equal(krond.events('finished')[0]?.['reason'], 'unknown')
  await krond.stop()
  assert.equal((await krond.state('a'))!.ActiveExecution, null)
})

test('a corrupt state file is set aside, its running process adopted by identity, and no period runs twice', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(SOON, 'a', lingering(krond))])
  await krond.start()
  const { pid, period_id: period } = await krond.until(line => line.event === 'started', 'the job to start')
  krond.signal('SIGTERM')
  await krond.until(line => line.event === 'shutdown', 'the stop to begin')
  await krond.stop()
  const torn = readFileSync(krond.statePath('a'), 'utf8').slice(0, 100)
  writeFileSync(krond.statePath('a'), torn)
  await krond.start()
  const event = krond.events('state_corrupt')[0]!
  assert.equal(readFileSync(String(event['moved_to']), 'utf8'), torn)
  assert.equal(krond.events('adopted')[0]?.['pid'], pid)
  writeFileSync(`${krond.directory}/go`, '')
  await krond.until(line => line.event === 'finished', 'the adopted one to end')
  await krond.eventually(() => krond.ran().length > 1, 'a later period to run')
  await krond.stop()
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
  const outcomes = (await krond.state('a'))!.History.filter(each => each.PeriodID === period)
  assert.deepEqual(
    outcomes.map(each => each.Outcome),
    ['executed'],
  )
})

test('a clock that is stepped forward and back runs nothing twice, and says so', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job('* * * * * @policy(deadline=5m)', 'a')])
  await krond.start()
  await krond.eventually(() => krond.ran().length >= 1, 'a first period')
  const [hour, deadline] = [3_600_000, 300_000]
  const ranWithin = (from: number, to: number): number[] =>
    krond
      .ran()
      .map(line => Date.parse(line.split(' ')[1]!))
      .filter(period => period > from && period < to)
  const newHour = krond.now() + hour - deadline
  krond.step(hour)
  await krond.until(line => line.event === 'clock_jump' && line['direction'] === 'forward', 'the jump')
  await krond.eventually(() => ranWithin(newHour, Infinity).length > 0, 'a period of the new hour')
  krond.step(0)
  const back = await krond.until(line => line['direction'] === 'backward', 'the jump back')
  assert.equal(back.level, 'warn')
  const endOfNewHour = krond.now() + hour
  const lastHour = krond.now() + 2 * hour - deadline
  krond.step(2 * hour)
  await krond.eventually(() => ranWithin(lastHour, Infinity).length > 0, 'a period after all jumps')
  const endOfOldHour = krond.now()
  await krond.stop()
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
  assert.deepEqual(ranWithin(endOfOldHour, newHour), [], 'what was jumped over is not replayed')
  assert.deepEqual(ranWithin(endOfNewHour, lastHour), [], 'nor the second time')
})
