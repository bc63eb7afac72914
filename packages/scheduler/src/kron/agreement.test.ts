import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Job, parseSchedule, upcoming } from '@kron/core'
import { Chance } from '@kron/testkit/chance'
import { krontab } from '@kron/testkit/krontab/run-krontab'
import { type RandomSchedule, randomSchedule } from '@kron/testkit/scheduler/kron/random-schedule'
import { type KronJobSpec, keyOf } from '../../../operator/src/manifest/kronjob.ts'
import { jobOf, parseSpec } from '../../../operator/src/manifest/parse.ts'
import { makeScheduler, memoryStore, type Registration, tasksOf, virtualClock } from '../index.ts'

const AT = '2026-03-28T21:13:07Z'
const NOW = Date.parse(AT) / 1000
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** One file per job would measure the disk. One file for all jobs would be read 10,000 times. */
const JOBS_OF_A_FILE = 20

const METADATA = { namespace: 'billing', uid: '', resourceVersion: '', creationTimestamp: '' }

function schedules(count: number): RandomSchedule[] {
  const chance = new Chance('agreement')
  return Array.from({ length: count }, () => randomSchedule(chance))
}

/** The first second that core chooses after now. */
function chosenBy(job: Job, from = NOW + 1): number {
  for (const { chosen } of upcoming(job, from)) if (chosen !== null) return chosen
  assert.fail(`${job.identity} never runs`)
}

function jobOfText(identity: string, text: string): Job {
  const parsed = parseSchedule(text)
  assert.ok(parsed.ok, text)
  return { identity, schedule: parsed.value }
}

test('10,000 random jobs: the scheduler, core and the operator choose the same second', async () => {
  const all = schedules(10_000)
  const clock = virtualClock(AT)
  const scheduler = makeScheduler({
    store: memoryStore(),
    clock,
    logger: silent,
    schedules: 'kron',
    namespace: 'billing',
  })
  await scheduler.initialize(all.map(({ text }, index): Registration => [`task-${index}`, text, () => {}, 0]))
  const tasks = tasksOf(scheduler)
  await scheduler.stop()
  let spread = 0
  for (const [index, { text, spec }] of all.entries()) {
    const name = `task-${index}`
    const core = chosenBy(jobOfText(`billing/${name}`, text))
    const read = parseSpec(spec as unknown as KronJobSpec)
    assert.ok(read.ok, text)
    const operator = chosenBy(jobOf(keyOf({ metadata: { ...METADATA, name } }), read.schedule))
    assert.equal(operator, core, text)
    const due = tasks[index]!.nextDueAt! / 1000
    // A task that is new in the minute after its second runs at once.
    if (due === NOW) assert.ok(chosenBy(jobOfText(`billing/${name}`, text), NOW - 59) <= NOW, text)
    else assert.equal(due, core, text)
    if (core % 60 !== 0) spread++
  }
  assert.ok(spread > 5_000, `${spread} are spread`)
})

/** The first chosen time that `krontab next` prints. A constraint may leave a period without a second. */
async function firstTold(next: string, count: number): Promise<string | undefined> {
  const { code, out, err } = await krontab(`${next} --at ${AT} --count ${count} --format json`.split(' '))
  assert.equal(code, 0, err)
  const { decisions } = JSON.parse(out) as { decisions: { chosenTime: string | null }[] }
  return decisions.find(({ chosenTime }) => chosenTime !== null)?.chosenTime ?? undefined
}

test('10,000 random jobs: krontab next --identity tells the same second', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kron-agreement-'))
  try {
    const file = join(directory, 'jobs')
    const all = schedules(10_000)
    for (let from = 0; from < all.length; from += JOBS_OF_A_FILE) {
      const some = all.slice(from, from + JOBS_OF_A_FILE)
      writeFileSync(file, some.map(({ text }, job) => `${text} name=job-${job} command=/bin/true\n`).join(''))
      for (const [job, { text }] of some.entries()) {
        const identity = `billing/task-${from + job}`
        const next = `next job-${job} --file ${file} --identity ${identity}`
        const chosen = (await firstTold(next, 1)) ?? (await firstTold(next, 200))
        assert.equal(Date.parse(chosen!) / 1000, chosenBy(jobOfText(identity, text)), text)
      }
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('over a day, every run starts at a second that core chose, and none is left out', async () => {
  const some = schedules(300)
  const clock = virtualClock(AT)
  const starts = some.map((): number[] => [])
  const scheduler = makeScheduler({
    store: memoryStore(),
    clock,
    logger: silent,
    schedules: 'kron',
    namespace: 'billing',
  })
  await scheduler.initialize(
    some.map(
      ({ text }, index): Registration => [
        `task-${index}`,
        text,
        () => void starts[index]!.push(clock.now() / 1000),
        0,
      ],
    ),
  )
  const until = NOW + 86_400
  await clock.run(86_400_000)
  await scheduler.stop()
  for (const [index, { text }] of some.entries()) {
    const expected = new Set<number>()
    for (const { chosen } of upcoming(jobOfText(`billing/task-${index}`, text), NOW + 1)) {
      if (chosen === null) continue
      if (chosen > until) break
      expected.add(chosen)
    }
    assert.deepEqual(
      starts[index]!.filter(at => at > NOW),
      [...expected],
      text,
    )
  }
})
