import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Behaviour, World } from '@kron/testkit/scheduler/model/world'
import fc from 'fast-check'
import { checkTrace, memoryStore, runNow, type Trace, type TraceRules, type Violation } from '../index.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Instants shortly before a change of the local clock, and one instant without a change. */
const MOMENTS = [
  { timeZone: 'UTC', now: Date.UTC(2026, 5, 10, 11, 58, 30) },
  { timeZone: 'Europe/Paris', now: Date.UTC(2026, 2, 29, 0, 55, 10) },
  { timeZone: 'Europe/Paris', now: Date.UTC(2026, 9, 24, 23, 55, 59, 999) },
  { timeZone: 'America/New_York', now: Date.UTC(2026, 10, 1, 4, 59, 0) },
  { timeZone: 'Australia/Lord_Howe', now: Date.UTC(2026, 3, 4, 14, 25, 0) },
  { timeZone: 'Asia/Kathmandu', now: Date.UTC(2026, 0, 1, 18, 10, 0) },
]

const CRONS = [
  '* * * * *',
  '0,15,30,45 * * * *',
  '30 * * * *',
  '30 1-2 * * *',
  '0 12 * * *',
  '59 23 31 12 *',
  '0 0 1 * 1',
]
/** Schedules in the full language. Windows may overlap, and deadlines may pass. */
const KRON = [
  '* * * * *',
  '*/15 * * * * @win(after,10m)',
  '@hourly @win(around,40m) @seed(daily)',
  '30 1-2 * * * @win(before,2h) @dist(skewLate)',
  '*/5 * * * * @win(after,12m)',
  '*/10 * * * * @win(after,3m) @policy(deadline=4m)',
  '*/20 * * * * @tz(America/New_York) @only(hours=0-12) @win(after,15m)',
  '59 23 31 12 *',
]
const DELAYS = [0, SECOND, 30 * SECOND, MINUTE, 10 * MINUTE]

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  afterMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 12 * MINUTE })),
  outcome: fc.constantFrom('succeeds', 'succeeds', 'fails'),
})

const task = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  cron: fc.constantFrom(...CRONS),
  /** The task's schedule when the scheduler uses the `kron` language. */
  kron: fc.constantFrom(...KRON),
  delay: fc.constantFrom(...DELAYS),
  factor: fc.constantFrom(1, 1, 2),
})
type Task = typeof task extends fc.Arbitrary<infer T> ? T : never
const list = fc.uniqueArray(task, { selector: ({ name }) => name, maxLength: 5 })

const LATENCY = 2 * SECOND
const fate = fc.record({
  kind: fc.constantFrom('works', 'works', 'works', 'fails', 'works but says it failed'),
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: LATENCY })),
})

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('initialize'), list }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'initialize nonsense' }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'stop' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('initialize and stop'), list }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('crash'), stored: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('die while initializing'), list, stored: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 1, max: 2 * MINUTE }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 1, max: HOUR }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('run now'), name: fc.constantFrom('a', 'b') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set store'), fate }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set clock'), by: fc.integer({ min: -HOUR, max: 3 * HOUR }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set clock'), by: fc.constantFrom(-50 * HOUR, 40 * 24 * HOUR) }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

async function perform(world: World, step: Action): Promise<void> {
  const { scheduler } = world
  // The theory judges whether a call may fail.
  const ignore = () => {}
  const registrations = (tasks: readonly Task[]) =>
    tasks.map(({ name, cron, kron, delay, factor }) =>
      world.registration(name, world.schedules === 'kron' ? kron : cron, delay, factor),
    )
  switch (step.kind) {
    case 'initialize':
      scheduler.initialize(registrations('list' in step ? step.list : [])).catch(ignore)
      break
    case 'initialize nonsense':
      scheduler.initialize([world.registration('a', '61 * * * *', 0)]).catch(ignore)
      break
    case 'stop':
      scheduler.stop().catch(ignore)
      break
    case 'initialize and stop':
      scheduler.initialize(registrations('list' in step ? step.list : [])).catch(ignore)
      scheduler.stop().catch(ignore)
      break
    case 'die while initializing':
      world.setFate({ kind: 'works', afterMs: LATENCY })
      scheduler.initialize(registrations('list' in step ? step.list : [])).catch(ignore)
      // At this point the store is loaded, but nothing is committed yet.
      await world.clock.run(1.5 * LATENCY)
      world.crash('stored' in step && step.stored)
      break
    case 'crash':
      world.crash('stored' in step && step.stored)
      break
    case 'run now':
      runNow(scheduler, 'name' in step ? step.name : '').catch(ignore)
      break
    case 'set store':
      if ('fate' in step) world.setFate(step.fate)
      break
    case 'set clock':
      if ('by' in step) world.setClock(step.by)
      break
  }
  await world.clock.run('ms' in step ? step.ms : 10)
}

function explain(violation: Violation | undefined, trace: Trace): string {
  const position = violation?.position ?? 0
  const events = trace.events.slice(Math.max(0, position - 12), position + 1)
  return [violation?.message, ...events.map(event => JSON.stringify(event))].join('\n')
}

async function obey(world: World, actions: readonly Action[]): Promise<void> {
  await perform(world, actions.find(({ kind }) => kind === 'initialize') ?? { kind: 'stop' })
  for (const step of actions) await perform(world, step)
  await world.clock.run(3 * MINUTE)
  const trace = { ...world.recorder.trace(world.clock.now()), slack: 3 * LATENCY }
  const violation = checkTrace(trace)
  assert.equal(violation, undefined, explain(violation, trace))
}

const RUNS = Number(process.env['KRON_MODEL_RUNS'] ?? 1500)
/** Every run uses the same histories, unless the environment sets another seed. */
const SEED = Number(process.env['KRON_MODEL_SEED'] ?? 1)
const moment = fc.constantFrom(...MOMENTS)
const behaviours = fc.array(behaviour, { minLength: 1, maxLength: 8 })
const actions = fc.array(action, { maxLength: 24 })

async function obeysAlways(rules: TraceRules, numRuns = RUNS): Promise<void> {
  let starts = 0
  const property = fc.asyncProperty(moment, behaviours, actions, async (moment, behaviours, actions) => {
    const world = new World({ ...moment, behaviours, rules })
    await obey(world, actions)
    starts += world.starts.length
  })
  await fc.assert(property, { numRuns, seed: SEED })
  assert.ok(starts > numRuns / 2)
}

test('whatever happens to it, a scheduler obeys the theory', { timeout: 300_000 }, () => obeysAlways({}))

test('whatever happens to it, a scheduler of kron schedules obeys the theory', { timeout: 300_000 }, () =>
  obeysAlways({ schedules: 'kron', namespace: 'model' }),
)

test(
  'whatever happens to it, a scheduler with room for two callbacks obeys the theory',
  { timeout: 300_000 },
  () => obeysAlways({ maxConcurrent: 2 }, RUNS / 3),
)

test('a scheduler that keeps its tasks in memory obeys it as well', { timeout: 300_000 }, async () => {
  let starts = 0
  const harmless = ({ kind }: Action) => !['crash', 'die while initializing', 'set store'].includes(kind)
  const property = fc.asyncProperty(moment, behaviours, actions, async (moment, behaviours, actions) => {
    const world = new World({ ...moment, behaviours, soundStore: memoryStore() })
    await obey(world, actions.filter(harmless))
    starts += world.starts.length
  })
  await fc.assert(property, { numRuns: RUNS / 3, seed: SEED })
  assert.ok(starts > RUNS / 6)
})
