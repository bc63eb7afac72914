/** A process that schedules until it is killed, and writes down what it sees: kind of store, its place, log, clock's start, identifier. */
import { openSync, writeSync } from 'node:fs'
import { makeScheduler } from '../../../../scheduler/src/index.ts'
import { fastClock } from './fast-clock.ts'
import { type StoreKind, storeOf } from './lasting-store.ts'
import { registrations } from './registrations.ts'

const [kind = '', place = '', log = '', startedAt = '', identifier = ''] = process.argv.slice(2)
const fd = openSync(log, 'a')
// One write call for a line: a killed process leaves whole lines.
const write = (line: object) => writeSync(fd, `${JSON.stringify(line)}\n`)

const scheduler = makeScheduler({
  store: storeOf(kind as StoreKind, place),
  clock: fastClock(Number(startedAt)),
  identifier: () => identifier,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  onEvent: event => write({ ...event, error: undefined }),
})
await scheduler.initialize(registrations(name => write({ type: 'called', taskName: name })))
