/**
 * Checks golden files against an engine. Plain JavaScript without dependencies, so that it runs the build on any
 * supported Node: `node vectors/runner.js <module of @kron/core> <directory>...`
 */
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

/** The cron part decides no second within a window; this one is rare enough for the longest. */
const ANY_CRON = '0 0 1 1 *'

/** The expected part of a decision case. The reference engine's files name the nominal time `periodStart`. */
export function decisionOf(core, input) {
  const nominal = instant(core, input.nominalTime ?? input.periodStart)
  const salt =
    input.place === undefined ? input.salt : value(core.expandSalt(input.salt, placeOf(input.place)))
  const text = scheduleText({ ...input, salt })
  const schedule = scheduleOf(core, text, input)
  const record = core.recordOf(core.decide({ identity: input.identity, schedule }, nominal))
  return {
    periodId: record.periodId,
    periodKey: record.periodKey,
    windowStart: record.windowStart,
    windowEnd: record.windowEnd,
    seedHash: record.seedHash,
    chosenTime: record.chosenTime,
    attempts: record.attemptCount,
    ...(input.place === undefined ? {} : { salt }),
    ...(input.weights === undefined ? {} : { fallback: record.weightsFallback ?? null }),
  }
}

/** The schedule with the calendars or the curve of the case, if it has some. */
function scheduleOf(core, text, input) {
  if (input.calendars === undefined && input.weights === undefined) return value(core.parseSchedule(text))
  const { schedule } = core.parseScheduleHead(text)
  if (input.weights !== undefined) return core.withCurve(schedule, () => curveOf(core, input.weights))
  return value(core.withCalendars(schedule, name => calendarOf(core, name, input)))
}

function curveOf(core, text) {
  if (text === null) return { digest: '', steps: 'missing' }
  const steps = core.parseCurve(text)
  return { digest: '', steps: steps.ok ? steps.value : 'unreadable' }
}

/** The application id of Kron, with which machine ids are hashed as machine-id(5) advises. */
const KRON_ID = '8d8d1f1c5a6f4f0e9b7a2a6c1e0b4d57'

function placeOf({ host, machineId }) {
  if (machineId === undefined) return { host, machine: undefined }
  const hash = createHmac('sha256', Buffer.from(machineId, 'hex'))
    .update(Buffer.from(KRON_ID, 'hex'))
    .digest()
  hash[6] = (hash[6] & 0x0f) | 0x40
  hash[8] = (hash[8] & 0x3f) | 0x80
  return { host, machine: hash.toString('hex', 0, 16) }
}

/** Dates and times of a case as the engine takes them. */
function calendarOf(core, name, { calendars }) {
  const { days = [], local = [], instants = [] } = calendars[name]
  const ranges = (list, suffix, unit) =>
    list.map(pair => pair.map(text => instant(core, `${text}${suffix}`) / unit))
  return {
    ok: true,
    value: {
      name,
      digest: '',
      ranges: {
        days: ranges(days, 'T00:00:00Z', 86_400),
        local: ranges(local, 'Z', 1),
        instants: ranges(instants, '', 1),
      },
    },
  }
}

function scheduleText({
  timezone = 'UTC',
  mode,
  window,
  distribution,
  params = {},
  seedStrategy,
  salt,
  only = [],
  avoid = [],
}) {
  const parameters = Object.entries(params).map(([key, text]) => `,${key}=${text}`)
  const quoted = salt.replace(/["\\]/g, '\\$&')
  return [
    `${ANY_CRON} @tz(${timezone}) @win(${mode},${window})`,
    `@dist(${distribution}${parameters.join('')}) @seed(${seedStrategy},salt="${quoted}")`,
    ...(only.length > 0 ? [`@only(${only.join(';')})`] : []),
    ...(avoid.length > 0 ? [`@avoid(${avoid.join(';')})`] : []),
  ].join(' ')
}

const PERIODS = 6

/** The expected part of a period case: the next six, and the one up to and including `after`. */
export function periodsOf(core, input) {
  const { cron, zone } = value(core.parseSchedule(`${input.schedule} @tz(${input.timezone})`))
  const after = instant(core, input.after)
  const next = []
  for (let at = core.next(cron, zone, after); at !== undefined && next.length < PERIODS; ) {
    next.push(core.printInstant(at))
    at = core.next(cron, zone, at)
  }
  return { prev: core.printInstant(core.prev(cron, zone, after)), next }
}

const instant = (core, text) => value(core.parseInstant(text))

function value(parsed) {
  if (parsed.ok) return parsed.value
  throw new Error(parsed.faults.map(fault => fault.message).join('; '))
}

/** Every golden file of a directory, checked. */
export function checkDirectory(core, directory) {
  return readdirSync(directory)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => checkFile(core, file, JSON.parse(readFileSync(join(directory, file), 'utf8'))))
}

function checkFile(core, file, { cases }) {
  const failures = []
  for (const { name, input, expected } of cases) {
    const found = 'schedule' in input ? periodsOf(core, input) : decisionOf(core, input)
    if (!isDeepStrictEqual(found, expected)) failures.push({ name, expected, found })
  }
  return { file, cases: cases.length, failures }
}

/** The reference engine's golden files, which are not part of this repository: undefined if they are not at hand. */
export function referenceDirectory() {
  const named = process.env.KRON_REFERENCE_VECTORS
  if (named !== undefined && named !== '') return resolve(named)
  const beside = fileURLToPath(new URL('../../shared/vectors', import.meta.url))
  return existsSync(beside) ? beside : undefined
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [module, ...directories] = process.argv.slice(2)
  const core = await import(pathToFileURL(resolve(module)).href)
  for (const directory of directories) {
    for (const { file, cases, failures } of checkDirectory(core, directory)) {
      console.log(
        `${failures.length === 0 ? 'ok' : 'FAILED'}: ${file}, ${cases - failures.length} of ${cases} agree`,
      )
      for (const failure of failures.slice(0, 5)) console.log(JSON.stringify(failure))
      if (failures.length > 0) process.exitCode = 1
    }
  }
}
