/** A process that schedules until it is killed, and writes down what it sees: directory, log, clock's start, identifier. */
import { openSync, writeSync } from 'node:fs'
import { fileStore, makeScheduler } from '../index.ts'
import { fastClock } from './fast-clock.test-support.ts'
import { registrations } from './registrations.test-support.ts'

const [directory = '', log = '', startedAt = '', identifier = ''] = process.argv.slice(2)
const fd = openSync(log, 'a')
// One write call for a line: a killed process leaves whole lines.
const write = (line: object) => writeSync(fd, `${JSON.stringify(line)}\n`)

const scheduler = makeScheduler({
  store: fileStore(directory),
  clock: fastClock(Number(startedAt)),
  identifier: () => identifier,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  onEvent: event => write({ ...event, error: undefined }),
})
await scheduler.initialize(registrations(name => write({ type: 'called', taskName: name })))
