import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SystemError } from '@kron/core'
import * as events from './event.ts'
import { linePrinter, makeLog, printEvent } from './log.ts'
import { printShort } from './short.ts'

/** A log that flushes when the test says so. */
function patientLog() {
  const written: string[] = []
  const waiting: (() => void)[] = []
  const clock = { now: Date.UTC(2026, 0, 1) }
  const dropped = { lines: 0 }
  const log = makeLog({
    format: 'text',
    level: 'info',
    now: () => clock.now,
    write: text => written.push(text),
    drop: lines => {
      dropped.lines += lines
    },
    later: flush => waiting.push(flush),
  })
  return { ...log, clock, written, waiting, dropped }
}

test('lines wait for a quiet moment, keep their time and are written in one piece', () => {
  const log = patientLog()
  log.emit(events.warned('first', 'a'))
  log.clock.now += 1_500
  log.emit(events.warned('second', 'b'))
  log.clock.now += 60_000
  assert.deepEqual(log.written, [])
  assert.equal(log.waiting.length, 1)
  log.waiting.shift()!()
  const [text, ...more] = log.written
  assert.deepEqual(more, [])
  assert.match(text!, /^2026-01-01T00:00:00\.0{9}Z .*first.*\n2026-01-01T00:00:01\.50{8}Z .*second.*\n$/)
})

test('jobs that print without end neither crowd out the lines of krond nor fill the log', () => {
  const log = patientLog()
  const flood = (): void => {
    for (let i = 0; i < 20_000; i++) log.emit(events.output('/a.kron:a', 'x', 'out', `line ${i}`))
  }
  flood()
  log.emit(events.warned('between', 'a'))
  log.clock.now += 1_000
  flood()
  log.flush()
  const text = log.written.join('')
  assert.equal(text.match(/event=output/g)?.length, 10_000)
  assert.equal(log.dropped.lines, 30_000)
  assert.match(text, /between/)
  assert.ok(
    log.written.every(each => each.length < 70_000),
    'written in small pieces',
  )
})

test('an error is written at once, after what came before it', () => {
  const log = patientLog()
  log.emit(events.warned('before', 'a'))
  log.emit(events.failed(new SystemError('broken', { component: 'daemon', operation: 'run' })))
  assert.equal(log.written.length, 1)
  assert.match(log.written[0]!, /before.*\n.*broken.*\n$/)
  log.waiting.shift()!()
  log.flush()
  assert.equal(log.written.length, 1)
})

const DEBUG: events.Event = {
  level: 'debug',
  component: 'scheduler',
  event: 'sample',
  identity: 'a',
  periodId: '2026-03-01T10:00:00Z',
  attempt: 1,
  candidate: '2026-03-01T10:00:01Z',
  u: 0.5,
}

test('what is below the level is not even kept', () => {
  const log = patientLog()
  log.emit(DEBUG)
  assert.equal(log.waiting.length, 0)
})

test('no value of an event speaks to the terminal, in text or in JSON', () => {
  const event = events.warned('listen', 'a\u001b[2J\u009b31m\u007f\u202eb')
  for (const format of ['text', 'json'] as const)
    assert.doesNotMatch(printEvent(event, '2026-03-01T00:00:00Z', format), /[\p{Cc}\u202e]/u)
  assert.equal(JSON.parse(printEvent(event, '', 'json')).message, event['message'])
})

test('a line for a terminal is short: time, job, what happened', () => {
  const time = '2026-03-01T10:00:30.000000000Z'
  const finished = {
    level: 'warn',
    component: 'execution',
    event: 'finished',
    identity: '/etc/krond.d/a.kron:import/flaky',
    periodId: '2026-03-01T10:00:00Z',
    executionId: 'x',
    pid: 1,
    chosenTime: '2026-03-01T10:00:29Z',
    startedAt: '2026-03-01T10:00:29Z',
    exitCode: 3,
    durationMs: 1_234,
  } as const
  assert.equal(printShort(finished, time), '10:00:30  import/flaky      ✕ failed after 1.2 s: exit code 3')
  assert.equal(printShort(events.loading(1, 1), time), undefined)
  assert.equal(
    printShort(events.output('/jobs.kron:a', 'x', 'err', 'the server\x1b[2J'), time),
    '10:00:30  a                 | the server\\x1b[2J',
  )
  assert.equal(printShort(events.warned('listen', 'no'), time), '10:00:30  krond             warning: no')
})

test('for journald each line carries its priority', () => {
  const print = linePrinter('text', true)
  assert.match(print(events.warned('a', 'b'), 'T'), /^<4>T level=warn /)
  assert.match(print(events.loading(1, 1), 'T'), /^<6>T level=info /)
})
