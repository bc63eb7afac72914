import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOBS, type Reader, type Result } from './variant.ts'
import { type Round, verdictOf } from './verdict.ts'

const WARM_UP = 5
const MINUTES = Array.from({ length: 20 }, (_, n) => WARM_UP + n)
const PERIOD_MS = 4_000

/** Every start is late by 20 ms, and by up to 3 ms more that no two minutes share. */
function result(reader: Reader, laterMs: number, changes: Partial<Result> = {}): Result {
  const starts = new Map<string, readonly number[]>()
  for (const minute of [WARM_UP - 1, ...MINUTES])
    for (let job = 0; job < JOBS; job++)
      starts.set(`job${job} ${minute}`, [minute * PERIOD_MS + 20 + ((minute * 7) % 20) * 0.15 + laterMs])
  return {
    reader,
    starts,
    answersStatus: true,
    isAlive: true,
    droppedLines: undefined,
    exitCode: 0,
    ...changes,
  }
}

function judged(other: Result, secondBaseline = 0): ReturnType<typeof verdictOf> {
  const round: Round = {
    minutes: MINUTES,
    slots: { dueAt: (_, minute) => minute * PERIOD_MS, periodOf: String },
    slotOf: new Map<Reader, number>([
      ['reads', 0],
      ['reads too', 1],
      [other.reader, 2],
    ]),
    results: [
      result('reads', 0),
      ...(other.reader === 'reads too' ? [] : [result('reads too', secondBaseline)]),
      other,
    ],
  }
  return verdictOf(other.reader, [round])
}

test('a reader that delays every start is found, and one that delays none is not', () => {
  assert.deepEqual(judged(result('slow', 5, { droppedLines: 3 })).problems, ['starts are later'])
  const { problems, starts, missed, droppedLines } = judged(result('slow', 0, { droppedLines: 3 }))
  assert.deepEqual([problems, starts, missed, droppedLines], [[], MINUTES.length * JOBS, 0, 3])
})

test('both reading daemons are the baseline, and one of them is compared with the other', () => {
  const { difference } = judged(result('slow', 3, { droppedLines: 3 }), 2)
  assert.equal(difference.median.toFixed(3), '2.000')
  assert.equal(judged(result('reads too', 3)).difference.median.toFixed(3), '3.000')
})

test('starts that are missing or happen twice, uncounted lines and a daemon that hangs are problems', () => {
  const { starts } = result('stopped', 0)
  const changed = new Map([...starts, ['job0 7', [28_020, 28_021]]] as const)
  changed.delete('job1 8')
  const broken = { starts: changed, droppedLines: 0, answersStatus: false, exitCode: null }
  const { problems, twice } = judged(result('stopped', 0, broken))
  assert.equal(twice, 1)
  assert.deepEqual(problems, [
    '1 starts are missing',
    'dropped lines were not counted',
    'status is not answered',
    'SIGTERM did not end it in order',
  ])
})

test('a control must be found late', () => {
  assert.deepEqual(judged(result('control: 5 ms late', 0)).problems, ['this delay was not noticed'])
  assert.deepEqual(judged(result('control: 5 ms late', 6)).problems, [])
})

test('a control that never started a job, or crashed, does not pass', () => {
  const warm = new Map(
    [...result('control: blocks', 0).starts].filter(([key]) => key.endsWith(` ${WARM_UP - 1}`)),
  )
  const blocked = judged(result('control: blocks', 0, { starts: warm }))
  assert.deepEqual([blocked.isLater, blocked.problems], [true, []])
  assert.deepEqual(judged(result('control: blocks', 0, { starts: warm, isAlive: false })).problems, [
    'it ended before it was told to',
  ])
  assert.deepEqual(judged(result('control: blocks', 0, { starts: new Map() })).problems, [
    'it started nothing before',
  ])
})
