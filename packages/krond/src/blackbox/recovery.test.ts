import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseKeptOutput } from '@kron/host'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import type { LogLine } from '@kron/testkit/krond/blackbox/log-file'

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

test('a job goes on printing through a kill -9 of the daemon, and everything it printed is kept', async t => {
  const krond = new Krond(t, FAST)
  const script = `echo before; ${lingering(krond)}; echo after; echo problem >&2; exit 5`
  krond.write([krond.job(SOON, 'a', script)])
  await krond.start()
  const { period_id: period } = await krond.until(line => line.event === 'started', 'the job to start')
  await krond.until(line => line.event === 'output' && line['text'] === 'before', 'its first line in the log')
  await krond.stop('SIGKILL')
  writeFileSync(`${krond.directory}/go`, '')
  await krond.start()
  const ended = await krond.until(
    line => line.event === 'finished' && line['period_id'] === period,
    'its end to be known',
  )
  assert.equal(ended['exit_code'], 5)
  await krond.stop()
  const file = readFileSync(`${krond.stateDir}/runs/${ended['execution_id']}.output`)
  const printed = parseKeptOutput(file)!.pieces.map(piece => [
    piece.kind,
    'data' in piece && String(piece.data),
  ])
  const out = printed.filter(([kind]) => kind === 'out').map(([, text]) => text)
  assert.equal(out.join(''), 'before\nafter\n')
  assert.deepEqual(printed.at(-1), ['err', 'problem\n'])
})

test('an intent with a claim is adopted with its exit status; one without a claim never started, and runs now', async t => {
  // The next period is 20 s of our time away: on a busy machine, one each two seconds would supersede this one.
  const at = Date.parse('2026-03-01T11:59:00Z')
  const deaths = [
    { at: 'launch', after: false },
    { at: 'launch', after: true },
    { at: 'started', after: false },
  ] as const
  for (const death of deaths) {
    const krond = new Krond(t, { ...FAST, at })
    krond.write([krond.job('*/10 * * * * @policy(deadline=1h)', 'a', lingering(krond))])
    await krond.start({ circumstances: { death } })
    assert.equal((await krond.exit).signal, 'SIGKILL')
    const intent = (await krond.state('a'))!.ActiveExecution!
    assert.equal(intent.PID, 0)
    const hasStarted = death.at === 'started'
    if (hasStarted) await krond.eventually(() => krond.ran().length > 0, 'the child to write')
    await krond.start()
    const adopted = krond.events('adopted').length
    // If krond dies with the start on its way, serve may or may not read it before it sees the death.
    if (death.at === 'launch' && death.after) assert.ok(adopted <= 1)
    else assert.equal(adopted, hasStarted ? 1 : 0)
    writeFileSync(`${krond.directory}/go`, '')
    const ended = (line: LogLine): boolean =>
      line.event === 'finished' && line['period_id'] === intent.PeriodID
    await krond.until(ended, 'its end')
    await krond.stop()
    assert.equal(krond.ran().filter(line => line === `a ${intent.PeriodID}`).length, 1)
    const entry = (await krond.state('a'))!.History.find(each => each.PeriodID === intent.PeriodID)
    assert.deepEqual([entry?.Outcome, entry?.ExitCode, entry?.Reason], ['executed', 0, undefined])
  }
})

test('krond whose runtime directory was removed ends with 4, and the next one starts jobs again', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(SOON, 'a')])
  await krond.start()
  await krond.until(line => line.event === 'started', 'the job to start')
  rmSync(krond.runtimeDir, { recursive: true })
  const error = await krond.until(
    line => line.event === 'error' && line['error_type'] === 'SystemError',
    'the loss to be noticed',
  )
  assert.match(String(error['message']), /^somebody has removed the runtime directory/)
  assert.deepEqual(await krond.exit, { code: 4, signal: null })
  const before = krond.ran().length
  await krond.start()
  await krond.eventually(() => krond.ran().length > before, 'the job to start again')
  assert.deepEqual(await krond.stop(), { code: 0, signal: null })
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length, 'no period ran twice')
})

test('a state file that names a living foreign process is not believed', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job('0 0 1 1 *', 'a')])
  await krond.start()
  await krond.stop()
  const { Checksum: _, ...state } = JSON.parse(readFileSync(krond.statePath('a'), 'utf8'))
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
  const started = await krond.until(line => line.event === 'started', 'the job to start')
  const { period_id: period, execution_id: executionId } = started
  // The journal has the start before; the file follows within two seconds.
  await krond.eventually(() => existsSync(krond.statePath('a')), 'the state file')
  krond.signal('SIGTERM')
  await krond.until(line => line.event === 'shutdown', 'the stop to begin')
  await krond.stop()
  const torn = readFileSync(krond.statePath('a'), 'utf8').slice(0, 100)
  writeFileSync(krond.statePath('a'), torn)
  await krond.start()
  const event = krond.events('state_corrupt')[0]!
  assert.equal(readFileSync(String(event['moved_to']), 'utf8'), torn)
  // Its PID may not be known yet: krond waits ten seconds of its clock for the shim, which are 333 ms here.
  assert.equal(krond.events('adopted')[0]?.['execution_id'], executionId)
  writeFileSync(`${krond.directory}/go`, '')
  const ended = await krond.until(line => line.event === 'finished', 'the adopted one to end')
  assert.deepEqual([ended['execution_id'], ended['exit_code']], [executionId, 0])
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
