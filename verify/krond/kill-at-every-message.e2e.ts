import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { parseKeptOutput } from '@kron/host'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { DEATH_NOTE, type Victim } from '@kron/testkit/krond/blackbox/sudden-death'

const PERIOD = '2026-03-01T12:00:00Z'
/** Two seconds of ours before the period, at first; the next one is minutes away. */
const FIRST_LEAD = 40_000
const SPEED = 20
const EXIT = 3
const LANES = 2
const PATIENCE = 60_000
/** After this many lives in a row without a kill there are no further messages. */
const QUIET = 2
const JOB = '0 * * * * @policy(deadline=1h,concurrency=allow)'

interface Case {
  readonly at: number
  readonly after: boolean
  readonly victims: readonly Victim[]
}

/** One period, a kill at one message of it, and a second daemon that settles it. True if the kill came. */
async function tryOnce(t: TestContext, tried: Case, lead = FIRST_LEAD): Promise<boolean> {
  const { at, after, victims } = tried
  const krond = new Krond(t, { at: Date.parse(PERIOD) - lead, speed: SPEED })
  const label = `${victims.join(' and ')} killed ${after ? 'after' : 'before'} message ${at}`
  krond.write([krond.job(JOB, 'a', `${krond.says}; echo out; echo err >&2; sleep 0.2; exit ${EXIT}`)])
  await krond.start({ circumstances: { death: { at, after, victims, messagesOnly: true } } })
  if (krond.now() > Date.parse(PERIOD)) {
    // A busy machine: the daemon was not there in time to see the period.
    await krond.stop()
    krond.discard()
    return tryOnce(t, tried, 2 * lead)
  }
  let isOver = false
  void krond.exit.then(() => {
    isOver = true
  })
  await krond.eventually(() => isOver || krond.events('finished').length > 0, `${label}: an end`)
  if (!isOver) await krond.stop()
  const isKilled = krond.stray.includes(DEATH_NOTE)
  await krond.start()
  const settled = async (): Promise<boolean> => {
    const state = await krond.state('a')
    return state?.ActiveExecution === null && state?.History.some(each => each.PeriodID === PERIOD) === true
  }
  const end = Date.now() + PATIENCE
  while (!(await settled())) {
    assert.ok(Date.now() < end, `${label}: the period is never settled\n${krond.transcript()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  assert.equal((await krond.stop()).code, 0, `${label}\n${krond.transcript()}`)
  const ran = krond.ran().filter(line => line.endsWith(PERIOD))
  const history = (await krond.state('a'))!.History.filter(each => each.PeriodID === PERIOD)
  assert.equal(history.length, 1, label)
  assert.ok(ran.length <= 1, `${label}: ran ${ran.length} times`)
  if (ran.length === 1) assert.equal(history[0]!.Outcome, 'executed', `${label}\n${krond.transcript()}`)
  if (!victims.includes('shim')) {
    assert.equal(ran.length, 1, `${label}: the period was lost\n${krond.transcript()}`)
    assert.equal(history[0]!.ExitCode, EXIT, `${label}\n${krond.transcript()}`)
    const execution = krond.read('ran').trim().split(' ').at(-1)!
    const kept = parseKeptOutput(readFileSync(`${krond.stateDir}/runs/${execution}.output`))
    const text = kept?.pieces
      .map(piece => (piece.kind === 'gap' ? '?' : `${piece.kind}:${piece.data}`))
      .join('')
    assert.match(text ?? '', /^(out:out\nerr:err\n|err:err\nout:out\n)$/, label)
  }
  krond.discard()
  return isKilled
}

async function everyMessage(t: TestContext, victims: readonly Victim[]): Promise<void> {
  let next = 0
  let killed = 0
  let quiet = 0
  const lane = async (): Promise<void> => {
    while (quiet < QUIET) {
      const number = next++
      const isKilled = await tryOnce(t, { at: 1 + (number >> 1), after: number % 2 === 1, victims })
      killed += isKilled ? 1 : 0
      quiet = isKilled ? 0 : quiet + 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  t.diagnostic(`${victims.join(' and ')}: ${killed} kills`)
  assert.ok(killed >= 6, `only ${killed} kills`)
}

const timeout = 900_000
for (const victims of [['krond'], ['serve'], ['krond', 'serve']] as const)
  test(
    `kill -9 of ${victims.join(' and ')} at every message: once, never lost, exit status and output exact`,
    {
      timeout,
    },
    t => everyMessage(t, victims),
  )
for (const victims of [['shim'], ['krond', 'serve', 'shim']] as const)
  test(`kill -9 of ${victims.join(' and ')} at every message: never twice`, { timeout }, t =>
    everyMessage(t, victims),
  )
