// The scheduler beside its peers: registration, memory, a minute boundary, lateness, durable starts.
import { inverse, type Ratio } from './measure.ts'
import { loadPeers } from './peers.ts'
import { type Figure, measureAll, middle, type Results, timesKron } from './scheduler/rounds.ts'
import { digits, printRatio, printTable, printTarget } from './table.ts'

const DURABLE = 'Kron, file store'
const KRON = ['Kron', DURABLE]
/** Knows only the process's own zone. */
const FASTEST = 'cron-schedule'
const ZONED = ['node-cron', 'croner', 'node-schedule']

// A caller waits for the thread that registers, a callback for the one that starts it; a minute costs whatever all of them do.
const registration: Figure = result => result.registration.threadMs
const memory: Figure = result => result.bytes
const lateness: Figure = result => result.starts.threadMs
const boundary: Figure = result => result.minute.processMs

const ms = (value: number): string => `${digits(value)} ms`

/** A contender's median, and how many times Kron's it is. */
const cells = (results: Results, name: string, figure: Figure, text = ms): string[] => [
  text(middle(results, name, figure)),
  name === 'Kron' ? '' : printRatio(timesKron(results, name, figure)),
]

const count = (tasks: number): string => tasks.toLocaleString('en')

function report(names: readonly string[], size: number, due: number, rounds?: number): Results {
  console.log(`\n${count(size)} tasks, ${count(due)} of them due in the same minute`)
  const results = measureAll(names, size, due, rounds)
  const rows = names.map(name => [
    name,
    ...cells(results, name, registration, value => `${digits((value * 1_000) / size)} µs`),
    ...cells(results, name, memory, value => `${Math.round(value / size)} B`),
    ...cells(results, name, lateness, ms),
    ...cells(results, name, result => result.lastStartMs, ms),
    ...cells(results, name, boundary, ms),
    String(middle(results, name, result => result.missed)),
    String(results.get(name)!.length),
  ])
  const header = [
    'registering a task',
    'memory a task',
    'last start, thread',
    'last start, wall',
    'minute, process',
  ]
  printTable(['', ...header.flatMap(title => [title, 'of Kron']), 'missed', 'rounds'], rows)
  return results
}

/** The same with the threads beside, which compile what is new to them and collect what is left over. */
function reportWholeProcess(results: Results): void {
  const rows = [...results.keys()].map(name => [
    name,
    ...cells(results, name, result => result.registration.processMs),
    ...cells(results, name, result => result.starts.processMs),
  ])
  printTable(['all threads', 'registering', 'of Kron', 'last start', 'of Kron'], rows)
}

/** The contender that comes nearest to Kron. */
function nearest(results: Results, names: readonly string[], figure: Figure): Ratio {
  const ratios = names.map(name => timesKron(results, name, figure))
  return ratios.reduce((least, each) => (each.median < least.median ? each : least))
}

export default async function scheduler(): Promise<void> {
  await loadPeers()
  const all = report([...KRON, FASTEST], 100_000, 100_000)
  reportWholeProcess(all)
  report([...KRON, FASTEST], 100_000, 10_000)
  const some = report([...KRON, FASTEST], 100_000, 1_000)
  report([...KRON, FASTEST], 1_000_000, 10_000, 1)
  const million = report(['Kron'], 1_000_000, 1_000)
  const few = report([...KRON, FASTEST, ...ZONED], 10_000, 10_000)
  reportWholeProcess(few)
  // The others take minutes or gigabytes for so many.
  const zoned = report(['Kron', 'node-cron'], 100_000, 100_000, 1)

  console.log('\nTargets; registration and lateness in time of the thread that registers and starts')
  const ofFastest = `× of ${FASTEST}`
  printTarget('registering 100,000', timesKron(all, FASTEST, registration), 'at least', 4, ofFastest)
  printTarget('last of 100,000 starts', timesKron(all, FASTEST, lateness), 'at least', 4, ofFastest)
  printTarget('memory a task', inverse(timesKron(all, FASTEST, memory)), 'at most', 0.2, ofFastest)
  printTarget(
    'registering 100,000, zoned',
    timesKron(zoned, 'node-cron', registration),
    'at least',
    50,
    '× of node-cron',
  )
  printTarget(
    'last of 100,000 starts, zoned',
    timesKron(zoned, 'node-cron', lateness),
    'at least',
    50,
    '× of node-cron',
  )
  printTarget(
    'registering 10,000, zoned',
    nearest(few, ZONED, registration),
    'at least',
    50,
    '× of the nearest',
  )
  printTarget(
    'last of 10,000 starts, zoned',
    nearest(few, ZONED, lateness),
    'at least',
    50,
    '× of the nearest',
  )
  const durable = 100_000 / (middle(all, DURABLE, result => result.lastStartMs) / 1_000)
  printTarget('durable starts', durable, 'at least', 20_000, '/s')
  const growth = middle(million, 'Kron', boundary) / middle(some, 'Kron', boundary)
  printTarget('a minute with 1,000 due, 1,000,000 tasks to 100,000', growth, 'at most', 2, '×')
}
