import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOBS, type Reader, type Result } from './variant.ts'
import { type Round, verdictOf } from './verdict.ts'

const MINUTES = Array.from({ length: 20 }, (_, n) => n)
const PERIOD_MS = 4_000

/** Every start is late by 20 ms, and by up to 3 ms more that no two minutes share. */
function result(reader: Reader, laterMs: number, changes: Partial<Result> = {}): Result {
  const starts = new Map<string, readonly number[]>()
  for (const minute of MINUTES)
    for (let job = 0; job < JOBS; job++)
      starts.set(`job${job} ${minute}`, [minute * PERIOD_MS + 20 + ((minute * 7) % 20) * 0.15 + laterMs])
  return { reader, starts, answersStatus: true, droppedLines: undefined, exitCode: 0, ...changes }
}

function judged(other: Result): ReturnType<typeof verdictOf> {
  const round: Round = {
    minutes: MINUTES,
    slots: { dueAt: (_, minute) => minute * PERIOD_MS, periodOf: String },
    slotOf: new Map<Reader, number>([
      ['reads', 0],
      [other.reader, 1],
    ]),
    results: [result('reads', 0), other],
  }
  return verdictOf(other.reader, [round])
}

test('a reader that delays every start is found, and one that delays none is not', () => {
  assert.deepEqual(judged(result('slow', 5, { droppedLines: 3 })).problems, ['starts are later'])
  const { problems, starts, missed, droppedLines } = judged(result('slow', 0, { droppedLines: 3 }))
  assert.deepEqual([problems, starts, missed, droppedLines], [[], MINUTES.length * JOBS, 0, 3])
})

test('starts that are missing or happen twice, uncounted lines and a daemon that hangs are problems', () => {
  const { starts } = result('stopped', 0)
  const changed = new Map([...starts, ['job0 3', [12_020, 12_021]]] as const)
  changed.delete('job1 4')
  const broken = { starts: changed, droppedLines: 0, answersStatus: false, exitCode: null }
  assert.deepEqual(judged(result('stopped', 0, broken)).problems, [
    '1 starts are missing',
    'dropped lines were not counted',
    'status is not answered',
    'SIGTERM did not end it in order',
    '1 periods ran twice',
  ])
})

test('a control must be found late: by its starts, or because they never come', () => {
  assert.deepEqual(judged(result('control: 5 ms late', 0)).problems, ['this delay was not noticed'])
  assert.deepEqual(judged(result('control: 5 ms late', 6)).problems, [])
  const never = judged(result('control: blocks', 0, { starts: new Map() }))
  assert.deepEqual([never.isLater, never.problems], [true, []])
})
