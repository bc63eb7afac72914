/** Jobs whose periods once ran several times, because the launcher judged by the names that /proc shows. */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

/** Periods of each kind of job. */
const PERIODS = Number(process.env['KRON_E2E_PERIODS'] ?? 1_000)
/** Jobs of each kind, all due in the same second. */
const COPIES = 10
const SPEED = 60
const SCHEDULE = '* * * * * @policy(deadline=50s,concurrency=allow)'
const UNUSED_UID = 61_901
const isRoot = process.getuid?.() === 0

type Kind = readonly [name: string, settings: string, command: string]

/** A program that names itself as the old launcher's steps were named, then says which period it runs for. */
const named = (name: string): string =>
  `/usr/bin/perl -e '$0 = q(${name}); select undef, undef, undef, 0.05; open F, q(>>), q(RAN); syswrite F, qq($ENV{KRON_IDENTITY} $ENV{KRON_PERIOD_ID} $ENV{KRON_EXECUTION_ID}\\n)'`

const LIMITS = 'nofile=256 nproc=4096 fsize=1M core=0 nice=5'
const NICE = '/usr/bin/nice -n 10 sh SCRIPT'
const OWN: readonly Kind[] = [
  ['nice', 'umask=0022', NICE],
  ['setpriv', 'umask=0022', named('setpriv')],
  ['limits', `umask=0027 ${LIMITS}`, NICE],
  ['sh', LIMITS, named('sh')],
]
const OF_A_USER: readonly Kind[] = [
  ['user-nice', 'user=nobody umask=0022', NICE],
  ['user-setpriv', 'user=nobody', named('setpriv')],
  ['user-limits', `user=nobody umask=0027 ${LIMITS}`, named('kron-shim')],
]

async function runsOnce(t: TestContext, kinds: readonly Kind[], uid?: number): Promise<void> {
  const krond = new Krond(t, { speed: SPEED })
  const { directory } = krond
  chmodSync(directory, 0o755)
  writeFileSync(`${directory}/ran`, '')
  chmodSync(`${directory}/ran`, 0o666)
  writeFileSync(`${directory}/script`, `${krond.says}\n`)
  const jobs = kinds.flatMap(([name, settings, command]) => {
    const text = command.replaceAll('SCRIPT', `${directory}/script`).replaceAll('RAN', `${directory}/ran`)
    // The command is split into words: the quotes of a shell become inner quotes.
    const written = text.replaceAll("'", '"').replaceAll(/[\\"]/g, '\\$&')
    return Array.from(
      { length: COPIES },
      (_, i) => `${SCHEDULE} name=${name}-${i} ${settings} command="${written}"`,
    )
  })
  krond.write(jobs)
  if (uid !== undefined) krond.giveTo(uid)
  await krond.start(uid === undefined ? {} : { uid })
  const periodsOf = (name: string): string[] => krond.ran().filter(line => line.startsWith(`${name}-`))
  const started = Date.now()
  while (kinds.some(([name]) => periodsOf(name).length < PERIODS)) {
    await new Promise(resolve => setTimeout(resolve, 1_000))
    assert.ok(Date.now() - started < 1_500_000, `too slow: ${krond.ran().length} runs\n${krond.transcript()}`)
  }
  assert.equal((await krond.stop()).code, 0)
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
  // On a busy machine 50 s of this clock, less than a second of ours, may be too short for a start.
  const messages = new Set(krond.events('error').map(line => String(line['message'])))
  messages.delete('the deadline passed while the command was being started')
  assert.deepEqual([...messages], [])
  const executions = krond.events('started').length
  assert.equal(executions, ran.length, 'every start has run, and nothing else')
  for (const [name] of kinds) t.diagnostic(`${name}: ${periodsOf(name).length} periods, each once`)
}

test(
  'as root: nice, self-named and limited jobs, with and without user=, run once per period',
  {
    skip: !isRoot && 'needs root',
    timeout: 1_600_000,
  },
  t => runsOnce(t, [...OWN, ...OF_A_USER]),
)

test(
  'as an ordinary user: nice, self-named and limited jobs run once per period',
  {
    timeout: 1_600_000,
  },
  t => runsOnce(t, OWN, isRoot ? UNUSED_UID : undefined),
)
