import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Krond, type StartOptions } from '@kron/testkit/krond/blackbox/krond'

const isRoot = process.getuid?.() === 0
const SOON = '0 12 * * * @policy(deadline=20m)'
/** Enough time before noon for the slowest machine to start: all jobs of a daemon come due together, and only once. */
const BEFORE_NOON = { at: Date.parse('2026-03-01T11:10:00Z'), speed: 60 }

async function startBeforeNoon(krond: Krond, options?: StartOptions): Promise<void> {
  await krond.start(options)
  krond.step(Math.max(0, Date.parse('2026-03-01T11:59:00Z') - krond.now()))
}

/** A zombie that is not reaped yet also counts as gone. */
function isGone(pid: string): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

test('a clock that is set back while a job runs does not change its duration', async t => {
  const krond = new Krond(t, { at: Date.parse('2026-03-01T11:59:55Z') })
  krond.write([krond.job(SOON, 'waits', `while ! [ -e ${krond.directory}/go ]; do sleep 0.05; done`)])
  const began = performance.now()
  await krond.start()
  await krond.until(({ event }) => event === 'started', 'the job to start')
  krond.step(-2 * 3_600_000)
  writeFileSync(`${krond.directory}/go`, '')
  const finished = await krond.until(({ event }) => event === 'finished', 'the job to end')
  const passedMs = performance.now() - began
  const durationMs = Number(finished['duration_ms'])
  assert.ok(durationMs > 0 && durationMs < passedMs, `it took ${durationMs} of ${passedMs} ms`)
  await krond.stop()
  assert.equal((await krond.state('waits'))!.History!.at(-1)!.DurationMs, durationMs)
})

test('what a job sees: environment, arguments, directory, umask, limits, its own session and nothing open', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  const { directory } = krond
  mkdirSync(`${directory}/work`)
  const see =
    'env > env; pwd > cwd; umask > umask; ulimit -n > nofile; ' +
    'ps -o pid=,pgid=,sid= -p $$ > session; cat > stdin; touch done'
  krond.write([
    krond.job(SOON, 'sees', see, `cwd=${directory}/work umask=027 nofile=99 env=COLOUR=blue`),
    `${SOON} name=plain command="/usr/bin/printf %s|%s|%s one \\"two three\\" $HOME" stdout=file:${directory}/%N-%Y%m%dT%H%M%S`,
    // No shell: dash keeps descriptors of its own, from 10 on.
    `${SOON} name=open command="/bin/ls /proc/self/fd" stdout=file:${directory}/open`,
    krond.job(SOON, 'bare', `env > ${directory}/bare`, 'inherit_env=false'),
  ])
  await startBeforeNoon(krond, { env: { NOTIFY_SOCKET: '/nowhere', MY_OWN: 'kept' } })
  await krond.eventually(() => krond.events('finished').length === 4, 'all four to finish')
  await krond.stop()
  const seen = (name: string): string => krond.read(`work/${name}`).trim()
  const environment = Object.fromEntries(
    seen('env')
      .split('\n')
      .map(line => line.split('=') as [string, string]),
  )
  assert.equal(environment['KRON_JOB'], 'sees')
  assert.equal(environment['KRON_IDENTITY'], krond.identity('sees'))
  assert.equal(environment['KRON_PERIOD_ID'], '2026-03-01T12:00:00Z')
  assert.equal(environment['KRON_NOMINAL_TIME'], '2026-03-01T12:00:00Z')
  assert.equal(environment['KRON_CHOSEN_TIME'], '2026-03-01T12:00:00Z')
  assert.match(environment['KRON_EXECUTION_ID']!, /^[0-9a-f-]{36}$/)
  assert.deepEqual([environment['COLOUR'], environment['MY_OWN']], ['blue', 'kept'])
  assert.equal('NOTIFY_SOCKET' in environment, false)
  assert.equal(seen('cwd'), `${directory}/work`)
  assert.equal(seen('umask'), '0027')
  assert.equal(seen('nofile'), '99')
  const [pid, group, session] = seen('session').split(/\s+/)
  assert.deepEqual([group, session], [pid, pid])
  assert.equal(seen('stdin'), '')
  // The last one is the directory that ls reads.
  assert.equal(krond.read('open'), '0\n1\n2\n3\n')
  assert.equal(krond.read('plain-20260301T120000'), 'one|two three|$HOME')
  assert.ok(!/^MY_OWN=/m.test(krond.read('bare')))
})

test('how a job ends is recorded: exit code, signal, time-out, and what it left behind is ended with it', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  const { directory } = krond
  krond.write([
    krond.job(SOON, 'code', 'exit 7'),
    krond.job(SOON, 'signal', 'kill -USR1 $$'),
    krond.job(SOON, 'silent', 'exec 0<&- 1>&- 2>&-; exit 3'),
    krond.job(SOON, 'flood', 'head -c 200000000 /dev/zero', 'stdout=discard'),
    krond.job(
      SOON,
      'stubborn',
      `trap "" TERM; (trap "" TERM; sleep 600; echo late > ${directory}/late) & echo $! > ${directory}/grandchild; sleep 600`,
      'timeout=2s grace=500ms',
    ),
  ])
  await startBeforeNoon(krond)
  await krond.eventually(() => krond.events('finished').length === 5, 'all of them to end')
  await krond.stop()
  const end = async (name: string) => {
    const state = (await krond.state(name))!
    const { ExitCode, Signal, Reason, Outcome } = state.History[0]!
    assert.equal(state.LastExitCode, ExitCode)
    return [Outcome, ExitCode, Signal ?? '', Reason ?? '']
  }
  assert.deepEqual(await end('code'), ['executed', 7, '', ''])
  assert.deepEqual(await end('signal'), ['executed', null, 'SIGUSR1', ''])
  assert.deepEqual(await end('silent'), ['executed', 3, '', ''])
  assert.deepEqual(await end('flood'), ['executed', 0, '', ''])
  assert.deepEqual(await end('stubborn'), ['executed', null, 'SIGKILL', 'timeout'])
  assert.equal(krond.events('timed_out', 'stubborn').length, 1)
  const grandchild = krond.read('grandchild').trim()
  await krond.eventually(() => isGone(grandchild), 'the grandchild to be gone too')
})

test('what cannot be started is not executed: an ERROR, retries with growing pauses, and missed at the deadline', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  const { directory } = krond
  symlinkSync('/dev/null', `${directory}/link`)
  const soon = '0 12 * * * @policy(deadline=10m)'
  krond.write([
    `${soon} name=absent command=/no/such/program`,
    `${soon} name=homeless command=/bin/true cwd=${directory}/gone`,
    `${soon} name=mute command=/bin/true stdout=file:${directory}/no/such/directory/out`,
    `${soon} name=linked command=/bin/true stdout=file:${directory}/link`,
  ])
  await startBeforeNoon(krond)
  await krond.eventually(() => krond.events('missed_deadline').length === 4, 'all of them to be missed')
  await krond.stop()
  const reasons = {
    absent: /^cannot run \/no\/such\/program: no such file/,
    homeless: /^cannot enter the working directory .*\/gone: no such file/,
    mute: /^cannot open the stdout file .*\/out: no such file/,
    linked: /^cannot open the stdout file .*\/link: it is a symbolic link/,
  }
  for (const [name, reason] of Object.entries(reasons)) {
    const errors = krond.events('error', name)
    assert.ok(errors.length >= 2, `${name}: ${errors.length} tries`)
    for (const key of ['period_id', 'component', 'error_type', 'operation', 'message'])
      assert.notEqual(errors[0]![key], undefined, key)
    assert.equal(errors[0]!['error_type'], 'ExecutionError')
    const state = (await krond.state(name))!
    assert.deepEqual([state.LastOutcome, state.ActiveExecution], ['missed', null])
    assert.match(state.LastReason, reason)
    assert.equal(krond.events('missed_deadline', name)[0]!.level, 'warn')
    const pauses = krond.events('reschedule', name).map(line => Date.parse(String(line['retry_at'])))
    assert.ok(pauses.every((at, i) => i === 0 || at >= pauses[i - 1]!))
  }
})

test('a fork that the system refuses is tried again, and the period runs once', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  krond.write([krond.job(SOON, 'a')])
  await startBeforeNoon(krond, { circumstances: { refusals: 3 } })
  await krond.until(line => line.event === 'finished', 'it to run after all')
  await krond.stop()
  assert.deepEqual(krond.ran(), ['a 2026-03-01T12:00:00Z'])
  assert.equal(krond.events('error', 'a').length, 3)
  assert.match(String(krond.events('error', 'a')[0]!['message']), /limit on the number of processes/)
})

test('replace ends the old execution and all of its group before the new one starts', async t => {
  const krond = new Krond(t, { at: Date.parse('2026-03-01T11:59:50Z'), speed: 10 })
  krond.write([
    krond.job('* * * * * @policy(concurrency=replace,deadline=10m)', 'a', `${krond.says}; sleep 600`),
  ])
  await krond.start({ flags: ['--stop', 'terminate'] })
  await krond.eventually(() => krond.events('started').length >= 2, 'a second start')
  const [first, second] = krond.events('started')
  assert.ok(krond.log.findIndex(line => line.event === 'finished') < krond.log.indexOf(second!))
  assert.equal(krond.events('replaced')[0]?.['pid'], first!['pid'])
  await krond.stop()
  const [entry] = (await krond.state('a'))!.History
  assert.deepEqual([entry!.Signal, entry!.Reason], ['SIGTERM', 'replaced'])
})

test('user= and group= are dropped to and verified by what the child sees; without root they are a mistake', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  const see = 'id -u; id -g; id -G; echo $HOME $USER $LOGNAME $SHELL $PATH'
  // The file is opened as the job's user, who must be able to reach it.
  mkdirSync(`${krond.directory}/open`)
  chmodSync(krond.directory, 0o755)
  chmodSync(`${krond.directory}/open`, 0o1777)
  krond.write([
    krond.job(SOON, 'a', see, `user=nobody group=daemon stdout=file:${krond.directory}/open/seen`),
  ])
  await startBeforeNoon(krond)
  if (!isRoot) {
    assert.equal((await krond.exit).code, 1)
    assert.match(krond.stray, /user=, group= and groups= need root/)
    return
  }
  await krond.until(line => line.event === 'finished', 'the job to finish')
  await krond.stop()
  const passwd = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, , , home] = passwd.find(line => line.startsWith('nobody:'))!.split(':')
  const gid = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find(line => line.startsWith('daemon:'))!
    .split(':')[2]
  assert.equal(
    krond.read('open/seen'),
    `${uid}\n${gid}\n${gid}\n${home} nobody nobody /bin/sh /usr/bin:/bin\n`,
  )
})
