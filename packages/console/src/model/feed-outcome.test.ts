import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '@kron/core'
import { parseJobFile } from '@kron/host'
import type { Ending, Execution } from '../../../krond/src/driver/execution.ts'
import { outcomeOfEvent } from '../../../krond/src/http/outcome-record.ts'
import { type Event, finished, notExecuted, printedFields } from '../../../krond/src/log/event.ts'
import type { FeedEvent } from '../api/records.ts'
import { outcomeOfFeedEvent } from './job-outcomes.ts'

const TIME = '2026-03-01T02:00:09Z'
const NOMINAL = Date.parse('2026-03-01T02:00:00Z') / 1_000
const entry = parseJobFile('0 2 * * * name=a command=/bin/true\n', '/etc/krond.d/a.kron').entries[0]!

const period: Execution = {
  ...{ id: 'run-1', slot: 0, entry, periodId: '2026-03-01T02:00:00Z', chosenTime: '2026-03-01T02:00:00Z' },
  ...{ seedHash: '', pid: 7, processStart: 1, shimPid: 6, startedAt: NOMINAL * 1_000, adopted: false },
}
const manual: Execution = { ...period, periodId: '', user: 'ada' }

const usage = { userCpuMs: 1, systemCpuMs: 2, peakMemoryKib: 3, printedBytes: 4, droppedBytes: 5 }
const measured: Ending = { exitCode: 0, signal: null, endedAt: NOMINAL * 1_000 + 9_000, usage }
const unmeasured: Ending = { exitCode: null, signal: null, endedAt: NOMINAL * 1_000 + 9_000 }
const killed: Ending = { ...measured, exitCode: null, signal: 'SIGTERM' }

const EVENTS: Readonly<Record<string, Event>> = {
  'a run of a period': finished(period, measured, 9_000, undefined),
  'a run that was ended': finished(period, killed, 9_000, 'timeout'),
  'a run whose end was not seen': finished(period, unmeasured, -1, 'unknown'),
  'a manual run': finished(manual, measured, 9_000, undefined),
  'a manual run whose end was not seen': finished(manual, unmeasured, 9_000, 'unknown'),
  'a skipped period': notExecuted(decide(entry, NOMINAL), 'skipped', 'concurrency'),
  'a missed period': notExecuted(decide(entry, NOMINAL), 'missed', 'deadline'),
}

for (const [what, event] of Object.entries(EVENTS))
  test(`console and krond make the same record of ${what}`, () => {
    const fed = { time: `${TIME.slice(0, 19)}.123Z`, ...printedFields(event) } as unknown as FeedEvent
    const expected = outcomeOfEvent(event, TIME)
    assert.ok(expected !== undefined)
    assert.deepEqual(outcomeOfFeedEvent(fed), expected)
  })
