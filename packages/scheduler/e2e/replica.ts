/** A process that shares its tasks. Arguments: connection string, log, clock start, identifier, session timeout. */
import { openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeScheduler, postgresStore, type Registration } from '@kron/scheduler'

const SPEED = 60
const [connectionString = '', log = '', startedAtText = '', identifier = '', sessionTimeout = ''] =
  process.argv.slice(2)
const startedAt = Number(startedAtText)
const fd = openSync(log, 'a')
const write = (line: object) => writeSync(fd, `${JSON.stringify(line)}\n`)

const tasks = Array.from({ length: 20 }, (_, index): Registration => {
  const name = `task-${index}`
  const work = async () => {
    write({ type: 'called', taskName: name })
    await sleep(index * 3)
    if (index === 7) throw new Error('always')
  }
  return [name, '* * * * *', work, 30_000]
})

const scheduler = makeScheduler({
  store: postgresStore({ connectionString, name: 'replicas', sessionTimeout: Number(sessionTimeout) }),
  clock: {
    now: () => Math.round(startedAt + (Date.now() - startedAt) * SPEED),
    timeZone: () => 'UTC',
    setTimer: (milliseconds, fire) => setTimeout(fire, milliseconds / SPEED),
    clearTimer: timer => clearTimeout(timer as NodeJS.Timeout),
  },
  identifier: () => identifier,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  onEvent: event => write('error' in event ? { ...event, error: String(event.error) } : event),
})
process.on('SIGTERM', () => {
  scheduler.stop().then(() => process.exit(0))
})
// The events contain the reason of a failure.
await scheduler.initialize(tasks).catch(() => process.exit(1))
