import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { alive, closeAll, Place, Serve, until } from '../../packages/shim/test/driver.ts'
import { readClaim } from '../../packages/shim/test/records.ts'

let place: Place
let killer: string
before(() => {
  place = new Place()
  killer = join(place.root, 'killer')
  execFileSync('cc', ['-O1', '-o', killer, join(import.meta.dirname, 'killer.c')])
})
afterEach(closeAll)
after(() => place.remove())

const KILLED = 100
const EXIT = 7

const written = (name: string): string =>
  existsSync(join(place.root, name)) ? readFileSync(join(place.root, name), 'utf8') : ''

interface Deed {
  readonly isKilled: boolean
  /** Kinds of the answers that the first serve gave. */
  readonly answers: readonly string[]
  readonly claim: string
  readonly execution: string
  readonly name: string
}

/** At once, or held: then serve prepares the run, which waits with its child until their time. */
type When = 'at once' | 'prepared'
const LEAD_NS = 150_000_000n

/** Starts a run under the killer; resolves when the answers are in, or serve is dead. */
async function startUnderKiller(whose: string, step: number, victims: string, when: When): Promise<Deed> {
  const command = (argv: string[]): string[] => [killer, whose, String(step), victims, ...argv]
  const serve = new Serve(place, { wait: 10_000, command })
  const offset = BigInt((await serve.ready()).fields[2]!)
  const name = `ran-${whose}-${step}-${victims}-${when.replace(' ', '-')}`
  const run = serve.start({
    arg: ['sh', '-c', `printf x >> ${name}; printf out; printf err >&2; exit ${EXIT}`],
    cwd: place.root,
    stdout: 'discard',
    stderr: 'discard',
    ...(when === 'prepared' && { first: String(process.hrtime.bigint() + offset + LEAD_NS) }),
  })
  let isOver = false
  void serve.exited.then(() => {
    isOver = true
  })
  const LAST = ['ended', 'lost', 'refused', 'unknown']
  await until('an end', () => isOver || run.answers.some(({ kind }) => LAST.includes(kind)))
  const answers = run.answers.map(({ kind }) => kind)
  await serve.close()
  const { code } = await serve.exited
  return { isKilled: code === KILLED, answers, claim: run.claim, execution: run.execution, name }
}

/** Returns the state that a second serve finds, and the answer to a second start of the period. */
async function judge(deed: Deed): Promise<{ found: string; exit?: number; again: string }> {
  const serve = new Serve(place, { wait: 10_000 })
  await serve.ready()
  const followed = serve.follow(deed.claim, deed.execution)
  const { kind } = await followed.answer('ended', 'lost', 'gone')
  const end = kind === 'ended' ? await followed.ended() : undefined
  const again = serve.start({ arg: ['sh', '-c', `printf y >> ${deed.name}`], cwd: place.root }, deed.claim)
  const verdict = await again.answer('already', 'started')
  if (verdict.kind === 'started') await again.ended()
  await serve.close()
  return { found: kind, ...(end === undefined ? {} : { exit: end.exit! }), again: verdict.kind }
}

/** Kills at step after step, until two lives in a row have fewer steps: their number varies a little. */
async function everyStep(
  t: TestContext,
  whose: string,
  victims: string,
  when: When,
  check: (deed: Deed, label: string) => Promise<string>,
): Promise<void> {
  const seen: Record<string, number> = {}
  let step = 1
  for (let survivors = 0; survivors < 2; step++) {
    const deed = await startUnderKiller(whose, step, victims, when)
    const label = `${when}: ${whose} step ${step}, killed ${victims}`
    const outcome = await check(deed, label)
    seen[outcome] = (seen[outcome] ?? 0) + 1
    survivors = deed.isKilled ? 0 : survivors + 1
  }
  t.diagnostic(`${step - 3} steps of ${whose}: ${JSON.stringify(seen)}`)
  assert.ok(step > 12, `only ${step - 3} steps`)
}

/** Only serve (or krond, whose death ends serve) dies: nothing twice, nothing lost, end and output exact. */
async function serveDied(deed: Deed, label: string): Promise<string> {
  const before = written(deed.name)
  const { found, exit, again } = await judge(deed)
  if (found === 'gone') {
    assert.deepEqual([before, again, written(deed.name)], ['', 'started', 'y'], label)
    assert.ok(!deed.answers.includes('started'), label)
    return 'never started'
  }
  assert.deepEqual([found, exit, again, written(deed.name)], ['ended', EXIT, 'already', 'x'], label)
  const kept = await until('the kept output', () => {
    const path = join(place.runs, `${deed.execution}.output`)
    return existsSync(path) && readFileSync(path)
  })
  assert.ok(kept.includes('out') && kept.includes('err'), label)
  return 'ended, exact'
}

/** The run died, perhaps with serve: never twice, and refused means never executed. */
async function runDied(deed: Deed, label: string): Promise<string> {
  const [, second] = existsSync(join(place.claims, deed.claim))
    ? readClaim(join(place.claims, deed.claim))
    : []
  const pid = typeof second === 'object' ? Number(second['command']?.split(' ')[0] ?? 0) : 0
  if (pid > 0) await until('the command to end', () => !alive(pid))
  const { found, exit, again } = await judge(deed)
  const ran = written(deed.name)
  if (again === 'started') assert.equal(ran, 'y', `${label}: the claim was free, so nothing had run`)
  else assert.ok(ran === '' || ran === 'x', `${label}: ran ${ran}`)
  if (deed.answers.includes('refused')) assert.equal(ran, 'y', label)
  if (deed.answers.includes('started')) assert.equal(again, 'already', label)
  if (found === 'ended') assert.equal(exit, EXIT, label)
  return `${deed.answers.join(' ') || 'silence'}, then ${found}${ran.startsWith('x') ? ', ran' : ''}`
}

const timeout = 900_000
for (const when of ['at once', 'prepared'] as const) {
  for (const whose of ['serve', 'run', 'child'])
    test(
      `${when}: serve killed at every call of ${whose}: never twice, never lost, end and output exact`,
      {
        timeout,
      },
      t => everyStep(t, whose, 's', when, serveDied),
    )
  for (const whose of ['run', 'child'])
    test(`${when}: run killed at every call of ${whose}: never twice`, { timeout }, t =>
      everyStep(t, whose, 'r', when, runDied),
    )
  for (const [whose, victims] of [
    ['run', 'sr'],
    ['child', 'src'],
    ['serve', 'sr'],
  ] as const)
    test(`${when}: ${victims} killed together at every call of ${whose}: never twice`, { timeout }, t =>
      everyStep(t, whose, victims, when, runDied),
    )
}
