import { type Job, parseSchedule } from '@kron/core'
import { digits, printTarget } from '../table.ts'

const JOBS = 100_000

const collect = (globalThis as { gc?: () => void }).gc

function heap(): number {
  collect?.()
  collect?.()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

/** Bytes of the heap for each of 100,000 parsed jobs, over what their names and the list itself take. */
function bytesPerJob(textOf: (i: number) => string): number {
  const names = Array.from({ length: JOBS }, (_, i) => `/etc/krond.d/jobs.kron:job-${i}`)
  const jobs: (Job | undefined)[] = new Array(JOBS).fill(undefined)
  const before = heap()
  for (const [i, identity] of names.entries()) {
    const schedule = parseSchedule(textOf(i))
    if (schedule.ok) jobs[i] = { identity, schedule: schedule.value }
  }
  const after = heap()
  if (jobs.includes(undefined)) throw new Error('a schedule was refused')
  return (after - before) / JOBS
}

export function measureMemory(): void {
  if (collect === undefined) return console.log('\nmemory: not measured, node runs without --expose-gc')
  console.log('\nheap of 100,000 parsed jobs')
  const plain = (i: number): string => `${i % 60} ${i % 24} * * *`
  const usual = (i: number): string =>
    `${plain(i)} @tz(Europe/Paris) @win(after,${(i % 90) + 30}m) @policy(deadline=10m)`
  const full = (i: number): string =>
    `${usual(i)} @dist(normal,sigma=${(i % 20) + 1}m) @seed(daily,salt=s${i}) @only(dow=MON-FRI;between=08:00-20:00) @avoid(date=2026-12-24)`
  printTarget('a job with nothing but its times', bytesPerJob(plain), 'at most', 400, ' B')
  printTarget('a job with zone, window and deadline', bytesPerJob(usual), 'at most', 400, ' B')
  console.log(`        a job with every modifier, constraints on both sides: ${digits(bytesPerJob(full))} B`)
}
