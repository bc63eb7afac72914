import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutcomeRecord } from '../api/records.ts'
import { JobOutcomes } from './job-outcomes.ts'

const finished = (minute: string): OutcomeRecord => ({
  ...{ identity: 'a', runId: `run-${minute}`, trigger: 'schedule', by: null },
  ...{
    periodId: `2030-01-01T00:${minute}:00Z`,
    nominalTime: `2030-01-01T00:${minute}:00Z`,
    chosenTime: null,
  },
  ...{ kind: 'succeeded', outcome: 'executed', reason: '', exitCode: 0, signal: null, durationMs: 2_000 },
  ...{ startedAt: null, completedAt: `2030-01-01T00:${minute}:02Z` },
  ...{ userCpuMs: null, systemCpuMs: null, peakMemoryKib: null, printedBytes: null, droppedBytes: null },
})

type Asked = (outcomes: readonly Partial<OutcomeRecord>[]) => void

/** The requests as they come, each to be answered by hand. */
function requests(): () => Promise<Asked> {
  const stream = new TransformStream<Asked, Asked>()
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  globalThis.fetch = () =>
    new Promise(resolve => {
      void writer.write(outcomes => resolve(Response.json({ outcomes, next: null })))
    })
  return async () => (await reader.read()).value!
}

const periods = (outcomes: JobOutcomes): (string | undefined)[] =>
  outcomes.of('a').map(each => each.periodId?.slice(14, 16))

test('what the feed tells while an older answer is on its way is not lost, and not doubled', async () => {
  const asked = requests()
  const { promise: changed, resolve } = Promise.withResolvers<void>()
  const outcomes = new JobOutcomes(resolve)
  outcomes.want(['a'])
  const answer = await asked()
  outcomes.add(finished('01'))
  outcomes.add(finished('02'))
  answer([{ identity: 'a', periodId: '2030-01-01T00:01:00Z' }])
  await changed
  assert.deepEqual(periods(outcomes), ['02', '01'])
})

test('an answer that was asked for before everything was forgotten is asked for again', async () => {
  const asked = requests()
  const { promise: changed, resolve } = Promise.withResolvers<void>()
  const outcomes = new JobOutcomes(resolve)
  outcomes.want(['a'])
  const first = await asked()
  outcomes.clear()
  first([{ identity: 'a', periodId: '2030-01-01T00:01:00Z' }])
  const second = await asked()
  assert.deepEqual(periods(outcomes), [])
  second([{ identity: 'a', periodId: '2030-01-01T00:03:00Z' }])
  await changed
  assert.deepEqual(periods(outcomes), ['03'])
})
