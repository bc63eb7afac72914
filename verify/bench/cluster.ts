/** KronJobs beside as many CronJobs on one real control plane. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorld, type World } from '../../packages/operator/e2e/support/world.ts'
import { obstacle } from '../cluster/go.ts'
import { until } from '../cluster/until.ts'
import { commandLine } from '../command-line.ts'
import { armed, firstStart } from './cluster/first-start.ts'
import { createCronJobs, createKronJobs, NAMESPACE } from './cluster/objects.ts'
import { type Lateness, Starts } from './cluster/starts.ts'
import { CRON_CONTROLLER, metric, OPERATOR, Traffic } from './cluster/traffic.ts'
import { median, type Ratio } from './measure.ts'
import { openPage } from './notebook.ts'
import { writeReport } from './report.ts'
import { storePage } from './results.ts'
import { digits, printTable, printTarget } from './table.ts'

const USAGE = `usage: npm run verify -- bench-cluster [options]
  --count N     KronJobs, and as many CronJobs (default 10000)
  --due N       how many of them are due in a minute, and in one second (default 1000)
  --burst N     how many are due in one second of a small burst (default 100)
  --rounds N    how often the two take turns (default 5)
  --keep        keep the figures in verify/bench/results and docs/performance.md

  npm run verify -- bench-cluster --count 1000 --due 200
`

const { values } = commandLine(USAGE, {
  count: { type: 'string', default: '10000' },
  due: { type: 'string', default: '1000' },
  burst: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '5' },
  keep: { type: 'boolean', default: false },
})
const [count, due, burst, rounds] = [values.count, values.due, values.burst, values.rounds].map(Number) as [
  number,
  number,
  number,
  number,
]
const NEVER = '0 0 29 2 *'
const IDLE = 60
const SETTLE = 5

/** Each round is six minutes, one for each group and one in which the first two have the time to clear up. */
const ROUND = 6 * 60
const GROUPS = {
  spread: { minute: 0, client: OPERATOR, what: `KronJob, ${due} in a minute` },
  crons: { minute: 1, client: CRON_CONTROLLER, what: `CronJob, ${due} in a minute` },
  second: { minute: 3, client: OPERATOR, what: `KronJob, ${due} in one second` },
  burst: { minute: 4, client: OPERATOR, what: `KronJob, ${burst} in one second` },
  cronburst: { minute: 5, client: CRON_CONTROLLER, what: `CronJob, ${burst} in one second` },
} as const
type GroupName = keyof typeof GROUPS
const NAMES = Object.keys(GROUPS) as readonly GroupName[]

const scheduleOf = (name: GroupName): string => `${GROUPS[name].minute}-59/6 * * * *`

/** As many as the groups that start leave; as many as a burst has are due during the first start. */
const idle = count - 2 * due - 2 * burst

async function populate(world: World): Promise<void> {
  await createKronJobs(world, { prefix: 'idle', count: idle, schedule: NEVER })
  await createCronJobs(world, { prefix: 'idle', count: count - due - burst, schedule: NEVER })
}

/** The groups that start; whichever of their minutes come before all is ready are not looked at. */
async function populateDue(world: World): Promise<void> {
  const group = (prefix: GroupName, many: number) => ({ prefix, count: many, schedule: scheduleOf(prefix) })
  await createKronJobs(world, group('spread', due), { mode: 'after', duration: '50s' })
  await createCronJobs(world, group('crons', due))
  await createKronJobs(world, group('second', due))
  await createKronJobs(world, group('burst', burst))
  await createCronJobs(world, group('cronburst', burst))
}

type Round = Readonly<Record<GroupName, Lateness>>

function lookAt(starts: Starts, began: number): Round {
  const seen = NAMES.map(name => {
    const { minute, what } = GROUPS[name]
    const late = starts.lateness(name, began + minute * 60)
    const times = [late.p50, late.p99, late.last].map(each => `${digits(each)} s`)
    console.log(`${what}: ${late.count} started, p50 ${times[0]}, p99 ${times[1]}, last ${times[2]}`)
    return [name, late] as const
  })
  return Object.fromEntries(seen) as Round
}

/** Over all rounds, from the first announcements until before those of the round that would follow. */
function requestsPerJob(traffic: Traffic, all: readonly Round[], began: number, client: RegExp): number {
  const asked = traffic.requests(client, began - 20, began + all.length * ROUND - 20)
  const own = NAMES.filter(name => GROUPS[name].client === client)
  return asked / all.reduce((sum, round) => sum + own.reduce((of, name) => of + round[name].count, 0), 0)
}

function ratio(all: readonly Round[], of: (round: Round) => number): Ratio {
  const each = all.map(of)
  return { median: median(each), least: Math.min(...each), most: Math.max(...each) }
}

/** Whether every group was through before the next began: otherwise they were measured on top of each other. */
const isApart = (round: Round): boolean =>
  NAMES.every(name => round[name].count >= (name.endsWith('burst') ? burst : due) && round[name].last < 60)

/** The answer is whether the figures are worth keeping. */
async function measure(world: World): Promise<boolean> {
  await world.namespace(NAMESPACE)
  console.log(`creating ${count} KronJobs and ${count} CronJobs`)
  await populate(world)
  console.log('created; the API server settles')
  await pause(SETTLE * 1000)
  const starts = new Starts(world)
  const first = await firstStart(world, starts, { idle, soon: burst })
  const known = idle + burst
  console.log(`first start: all ${known} KronJobs have their alarm after ${digits(first.armed)} s`)
  console.log(`first start: all ${known} statuses are written after ${digits(first.written)} s`)
  console.log(`first start: p99 of ${burst} Jobs due meanwhile ${digits(first.soon.p99)} s`)
  await first.replica.kill('SIGTERM')
  const again = await armed(world, known)
  console.log(`restart: every alarm is set after ${digits(again.seconds)} s`)

  const quiet = Date.now() / 1000
  await pause(IDLE * 1000)
  const chatter = new Traffic(world.plane.directory).requests(OPERATOR, quiet, quiet + IDLE)
  const rss = (await metric(again.replica.port, 'process_resident_memory_bytes')) / 2 ** 20
  console.log(`idle: ${chatter} requests a minute beyond watches and lease, RSS ${digits(rss)} MiB`)

  await populateDue(world)
  const all = async (): Promise<boolean> => (await metric(again.replica.port, 'kron_timers')) >= count
  await until('all are armed', all, { within: 1_800_000, every: 500 })
  const began = Math.ceil((Date.now() / 1000 + 30) / ROUND) * ROUND
  const results: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    const over = (): boolean => Date.now() / 1000 > began + round * ROUND + 30
    await until('the round is over', over, { within: 3 * ROUND * 1000, every: 1_000 })
    console.log(`\nround ${round} of ${rounds}, load ${loadavg()[0]!.toFixed(1)} at the end`)
    results.push(lookAt(starts, began + (round - 1) * ROUND))
  }
  const traffic = new Traffic(world.plane.directory)
  const ours = requestsPerJob(traffic, results, began, OPERATOR)
  const theirs = requestsPerJob(traffic, results, began, CRON_CONTROLLER)
  const typical = (name: GroupName, key: keyof Lateness): number =>
    median(results.map(each => each[name][key]))
  console.log('')
  printTable(
    ['operator', 'measured'],
    [
      [`first start: ${known} KronJobs have their alarm`, `${digits(first.armed)} s`],
      [`first start: ${known} KronJobs have their first status`, `${digits(first.written)} s`],
      [`p99 of ${burst} Jobs that were due while first statuses were written`, `${digits(first.soon.p99)} s`],
      [`restart: ${known} KronJobs have their alarm`, `${digits(again.seconds)} s`],
      [`RSS with ${known} KronJobs`, `${digits(rss)} MiB`],
      ['requests a minute while idle, beyond watches and lease', String(chatter)],
      ['requests per started Job, KronJob and CronJob', `${digits(ours)} and ${digits(theirs)}`],
    ],
  )
  console.log('')
  printTable(
    ['medians of the rounds', 'p50', 'p99', 'last'],
    NAMES.map(name => [
      GROUPS[name].what,
      ...(['p50', 'p99', 'last'] as const).map(key => `${digits(typical(name, key))} s`),
    ]),
  )
  const bursts = ratio(results, each => each.burst.p99 / each.cronburst.p99)
  printTarget(`p99 of ${burst} KronJobs in one second`, bursts, 'at most', 0.5, "× CronJob's")
  const minutes = ratio(results, each => each.spread.p99 / each.crons.p99)
  printTarget(`p99 of ${due} KronJobs in a minute`, minutes, 'at most', 0.5, "× CronJob's")
  const seconds = ratio(results, each => each.second.p99 / each.crons.p99)
  printTarget(`p99 of ${due} KronJobs in one second`, seconds, 'at most', 0.5, "× CronJob's")
  printTarget('API requests per started Job', ours / theirs, 'at most', 1, "× CronJob's")
  printTarget(`p99 of ${due} KronJobs in a minute`, typical('spread', 'p99'), 'at most', 1, ' s')
  printTarget('requests while idle, beyond watches and lease', chatter, 'at most', 0, ' a minute')
  printTarget(`RSS with ${known} KronJobs`, (rss * 2 ** 20) / 1e6, 'at most', 250, ' MB')
  printTarget(`first start until ${known} KronJobs have their alarm`, first.armed, 'at most', 20, ' s')
  await again.replica.kill('SIGTERM')
  if (results.every(isApart)) return true
  console.log('the machine was too slow or too busy: groups ran into each other; lower --due, or try again')
  return false
}

const why = obstacle()
if (why !== undefined) {
  console.log(`cluster benchmark skipped: ${why}`)
  process.exit(0)
}
const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores, ${count} KronJobs beside ${count} CronJobs`
console.log(machine)
const page = openPage('operator', `${machine}, load ${loadavg()[0]!.toFixed(1)} at the beginning`)
execFileSync(join(import.meta.dirname, '../../node_modules/.bin/tsc'), ['-b', 'packages/operator'], {
  cwd: join(import.meta.dirname, '../..'),
  stdio: 'inherit',
})
const world = await createWorld({ audit: true, controllers: ['cronjob-controller', 'job-controller'] })
try {
  if ((await measure(world)) && values.keep) {
    storePage(page)
    writeReport()
  }
} finally {
  await world.plane.stop()
}
process.exit(0)
