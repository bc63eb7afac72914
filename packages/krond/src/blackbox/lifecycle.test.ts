import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const FAST = { speed: 30 }
const SOON = '@policy(deadline=1h)'
const isRoot = process.getuid?.() === 0

test('a second daemon on the same state directory exits 3 at once, and the first goes on', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(`* * * * * ${SOON}`, 'a')])
  await krond.start()
  const first = krond.pid
  assert.equal(krond.read('pid'), `${first}\n`)
  const second = krond.command('start', '--config', krond.jobFile, '--pid-file', `${krond.directory}/pid2`)
  assert.equal(second.code, 3)
  assert.match(second.output, /event=error .*error_type=SystemError .*is locked by process/)
  await krond.eventually(() => krond.ran().length > 0, 'the first daemon to run its job')
  assert.deepEqual(await krond.stop(), { code: 0, signal: null })
  assert.equal(existsSync(`${krond.directory}/pid`), false)
})

test('a second daemon that cannot see the first in the lock file is kept out by the lock itself', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(`* * * * * ${SOON}`, 'a')])
  await krond.start()
  writeFileSync(`${krond.stateDir}/lock`, '')
  const second = krond.command('start', '--config', krond.jobFile, '--pid-file', `${krond.directory}/pid2`)
  assert.equal(second.code, 3)
  assert.match(second.output, /error_type=SystemError .*is locked/)
  await krond.eventually(() => krond.ran().length > 0, 'the first daemon to run its job')
  assert.deepEqual(await krond.stop(), { code: 0, signal: null })
})

test('a daemon without jobs stays, and takes up those that a reload brings', async t => {
  const krond = new Krond(t, FAST)
  krond.write(['# nothing yet'])
  await krond.start()
  krond.write([krond.job(`* * * * * ${SOON}`, 'a')])
  krond.signal('SIGHUP')
  await krond.eventually(() => krond.ran().length > 0, 'the new job to run')
  assert.deepEqual(await krond.stop(), { code: 0, signal: null })
})

test('mistakes in job files: exit 1 with every one of them listed, and nothing starts', async t => {
  const krond = new Krond(t, FAST)
  krond.write([
    krond.job('* * * * *', 'good'),
    '61 * * * * name=a command=/bin/true',
    '* * * * * @tz(Nowhere) name=b command=/bin/true',
    '* * * * * @win(after,-1s) name=c command=/bin/true',
  ])
  await krond.start()
  assert.equal((await krond.exit).code, 1)
  for (const line of [2, 3, 4]) assert.match(krond.stray, new RegExp(`all\\.kron:${line}:\\d+: `))
  assert.match(krond.stray, /not started: 3 errors/)
  assert.equal(existsSync(krond.stateDir), false)
  const validated = krond.command('validate', '--config', krond.jobFile)
  assert.equal(validated.code, 1)
})

test('with --keep-going the file with a mistake is left out and the rest runs', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(`* * * * * ${SOON}`, 'good')])
  krond.write(['61 * * * * name=bad command=/bin/true'], `${krond.directory}/jobs/bad.kron`)
  await krond.start({ flags: ['--keep-going'] })
  const error = krond.events('error')[0]!
  assert.equal(error['error_type'], 'ConfigurationError')
  assert.deepEqual(krond.status().refusedFiles, [`${krond.directory}/jobs/bad.kron`])
  await krond.eventually(() => krond.ran().length > 0, 'the good job to run')
  assert.equal((await krond.stop()).code, 0)
})

test('with --keep-going a reload that cannot read the job files leaves their jobs as they are', async t => {
  const krond = new Krond(t, FAST)
  const jobs = `${krond.directory}/jobs`
  krond.write([krond.job(`* * * * * ${SOON}`, 'a')])
  await krond.start({ flags: ['--keep-going'] })
  const reloaded = async (unchanged: number): Promise<void> => {
    const before = krond.events('reload').length
    krond.signal('SIGHUP')
    await krond.eventually(() => krond.events('reload').length > before, 'the reload')
    const { removed, ...last } = krond.events('reload').at(-1)!
    assert.deepEqual([removed, last['unchanged']], [0, unchanged])
  }
  renameSync(jobs, `${jobs}-away`)
  await reloaded(1)
  assert.deepEqual(krond.status().refusedFiles, [jobs])
  renameSync(`${jobs}-away`, jobs)
  krond.write(['nonsense'])
  await reloaded(1)
  assert.equal(krond.command('reload').code, 1)
  const runs = krond.ran().length
  await krond.eventually(() => krond.ran().length > runs, 'the job to go on')
  assert.equal(krond.events('error').length, 3)
  assert.equal((await krond.stop()).code, 0)
})

test('a user who does not exist, and what --strict refuses, are mistakes of the configuration', async t => {
  const krond = new Krond(t, FAST)
  krond.write(['* * * * * name=a command=/bin/true user=no-such-user'])
  await krond.start()
  assert.equal((await krond.exit).code, 1)
  assert.match(krond.stray, isRoot ? /there is no user no-such-user/ : /need root/)
  krond.write(['* * * * * name=a command=true', '* * * * * name=b command=/bin/true'])
  await krond.start({ flags: ['--strict'] })
  assert.equal((await krond.exit).code, 1)
  assert.match(krond.stray, /the command of a is a relative path/)
  assert.match(krond.stray, /b has no deadline/)
})

test('state that cannot be used safely: exit 2, an ERROR that says why, and nothing is scheduled', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(`* * * * * ${SOON}`, 'a')])
  await krond.start()
  await krond.stop()
  const path = krond.statePath('a')
  const good = readFileSync(path, 'utf8')
  const { Checksum: _, ...state } = JSON.parse(good)
  const write = (text: string): void => writeFileSync(path, text, { mode: 0o600 })
  const spoilt: [RegExp, () => void, () => void][] = [
    [
      /belongs to another job/,
      () => write(JSON.stringify({ ...state, Identity: '/x:y' })),
      () => write(good),
    ],
    [
      /state version 2 is not supported/,
      () => write(JSON.stringify({ ...state, Version: '2' })),
      () => write(good),
    ],
    [
      /has no LastOutcome/,
      () => write(JSON.stringify({ Version: '1', Identity: state.Identity, LastHandledPeriodID: '' })),
      () => write(good),
    ],
    [/may be changed or read by others/, () => chmodSync(path, 0o640), () => chmodSync(path, 0o600)],
    [/may be used by others/, () => chmodSync(krond.stateDir, 0o750), () => chmodSync(krond.stateDir, 0o700)],
    [
      /is not a regular file/,
      () => [renameSync(path, `${path}.away`), mkdirSync(path)],
      () => [rmSync(path, { recursive: true }), renameSync(`${path}.away`, path)],
    ],
    [
      /is damaged at byte 0/,
      () => writeFileSync(`${krond.stateDir}/journal-99999999`, 'spoilt'),
      () => rmSync(`${krond.stateDir}/journal-99999999`),
    ],
  ]
  for (const [why, spoil, mend] of spoilt) {
    spoil()
    const from = krond.log.length
    await krond.start()
    assert.deepEqual(await krond.exit, { code: 2, signal: null }, String(why))
    const error = krond.log.slice(from).find(line => line.event === 'error')
    assert.match(String(error?.['message']), why)
    assert.equal(error?.level, 'error')
    assert.ok(!krond.log.slice(from).some(line => line.event === 'decision'))
    mend()
  }
  await krond.start()
  assert.equal((await krond.stop()).code, 0)
})

test('SIGHUP reloads: a changed job follows its new definition, a mistake changes nothing', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(`* * * * * ${SOON}`, 'a'), '0 0 1 1 * name=b command=/bin/true'])
  await krond.start()
  krond.write([krond.job(`* * * * * ${SOON}`, 'c'), '0 0 1 1 * name=b command=/bin/true'])
  assert.equal(krond.command('reload').code, 0)
  const reload = await krond.until(line => line.event === 'reload', 'the reload')
  const { added, changed, removed, unchanged } = reload
  assert.deepEqual({ added, changed, removed, unchanged }, { added: 1, changed: 0, removed: 1, unchanged: 1 })
  // Runs that were decided before the reload may still be starting.
  const decided = krond.log.slice(0, krond.log.indexOf(reload)).filter(line => line.event === 'decision')
  const periodsOfA = new Set(decided.map(line => `a ${line['period_id']}`))
  await krond.eventually(() => krond.ran().some(line => line.startsWith('c ')), 'the new job to run')
  krond.write(['nonsense'])
  krond.signal('SIGHUP')
  await krond.until(line => line.event === 'reload' && line['errors'] === 1, 'the refusal')
  const runsOfC = krond.ran().length
  await krond.eventually(() => krond.ran().length > runsOfC, 'the old configuration to go on')
  assert.equal((await krond.stop()).code, 0)
  const ranUndecided = krond.ran().filter(line => line.startsWith('a ') && !periodsOfA.has(line))
  assert.deepEqual(ranUndecided, [])
})

test('reload waits for its result: what changed, or exit 1 with the mistakes; status tells until it is cured', async t => {
  const krond = new Krond(t)
  const never = '0 0 1 1 * @policy(deadline=1h)'
  krond.write([krond.job(never, 'a'), krond.job(never, 'b')])
  await krond.start()
  krond.write([krond.job(never, 'a'), krond.job(never, 'b', 'true'), krond.job(never, 'c')])
  assert.deepEqual(krond.command('reload'), {
    code: 0,
    output: '1 added, 1 changed, 0 removed, 1 unchanged\n',
  })
  krond.write([krond.job(never, 'a'), '61 * * * * name=b command=/bin/true'])
  const refused = krond.command('reload')
  assert.equal(refused.code, 1)
  assert.match(refused.output, /all\.kron:2:1: .*\nkrond: not reloaded: the old configuration stays\n$/)
  assert.deepEqual([krond.status().jobs, krond.status().refusedReload?.mistakes], [3, 1])
  assert.match(
    krond.command('status').output,
    /reload {3}refused at .*: 1 mistake; the old configuration stays/,
  )
  krond.write([krond.job(never, 'a')])
  assert.equal(krond.command('reload').output, '0 added, 0 changed, 2 removed, 1 unchanged\n')
  assert.equal(krond.status().refusedReload, undefined)
  await krond.stop()
})

test('SIGTERM waits for what runs; a second one leaves it to the next daemon, which adopts it', async t => {
  const krond = new Krond(t, FAST)
  const linger = `trap "" TERM; ${krond.says}; while ! [ -e ${krond.directory}/go ]; do sleep 0.05; done`
  krond.write([krond.job(`* * * * * ${SOON}`, 'a', linger)])
  await krond.start()
  await krond.until(line => line.event === 'started', 'the job to start')
  await krond.eventually(() => krond.ran().length > 0, 'the job to say so')
  krond.signal('SIGTERM')
  await krond.until(line => line.event === 'shutdown' && line['phase'] === 'stopping', 'the stop to begin')
  krond.signal('SIGTERM')
  assert.deepEqual(await krond.exit, { code: 0, signal: null })
  assert.equal((await krond.state('a'))?.ActiveExecution?.PeriodID, krond.ran()[0]?.split(' ')[1])
  await krond.start({ flags: ['--stop-timeout', '200ms'] })
  assert.equal(krond.events('adopted').length, 1)
  assert.equal(krond.status().running[0]?.adopted, true)
  const stopped = krond.stop()
  assert.equal((await stopped).code, 0, 'after --stop-timeout it leaves')
  assert.equal(krond.events('shutdown').at(-1)?.['left_running'], 1)
  await krond.start()
  writeFileSync(`${krond.directory}/go`, '')
  assert.equal((await krond.stop()).code, 0)
  const entry = (await krond.state('a'))?.History.find(each => each.Outcome === 'executed')
  assert.deepEqual([entry?.ExitCode, entry?.Reason], [0, undefined])
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
})

test('--stop terminate ends what runs, and says so', async t => {
  const krond = new Krond(t, FAST)
  krond.write([krond.job(`* * * * * ${SOON}`, 'a', `${krond.says}; sleep 600`)])
  await krond.start({ flags: ['--stop', 'terminate'] })
  await krond.until(line => line.event === 'started', 'the job to start')
  assert.equal(krond.command('stop').code, 0)
  assert.equal((await krond.exit).code, 0)
  const entry = (await krond.state('a'))?.History.find(each => each.Outcome === 'executed')
  assert.deepEqual([entry?.Signal, entry?.Reason], ['SIGTERM', 'shutdown'])
})

test('status works however long the path of the state directory is, and tells when nobody is there', async t => {
  const krond = new Krond(t, { stateDir: `${'deep/'.repeat(30)}state` })
  krond.write(['0 0 1 1 * name=a command=/bin/true'])
  await krond.start()
  const status = krond.command('status')
  assert.equal(status.code, 0, status.output)
  assert.match(status.output, /^krond \d+, running since .*\njobs {5}1\n/)
  assert.equal((await krond.stop()).code, 0)
  assert.equal(krond.command('status').code, 1)
})

test('the queue of --max-concurrent is shown by status', async t => {
  const krond = new Krond(t, FAST)
  const linger = `${krond.says}; while ! [ -e ${krond.directory}/go ]; do sleep 0.05; done`
  krond.write(['a', 'b', 'c'].map(name => krond.job(`* * * * * ${SOON}`, name, linger)))
  await krond.start({ flags: ['--max-concurrent', '1'] })
  const isFull = () => krond.events('started').length > 0 && krond.events('queued').length >= 2
  await krond.eventually(isFull, 'one job to run and two to wait')
  assert.equal(krond.events('queued')[0]!['reason'], 'max_concurrent')
  const { running, queue } = krond.status()
  assert.equal(running.length, 1)
  const everybody = ['a', 'b', 'c'].map(name => krond.identity(name))
  const waiting = everybody.filter(each => each !== running[0]!.identity)
  assert.deepEqual(
    queue
      .slice(0, 2)
      .map(each => each.identity)
      .sort(),
    waiting,
  )
  writeFileSync(`${krond.directory}/go`, '')
  await krond.eventually(() => new Set(krond.ran().map(line => line[0])).size === 3, 'all of them to run')
  krond.signal('SIGTERM')
  assert.equal((await krond.exit).code, 0)
})
