import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseJobFile } from './parse.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapUsed(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Long comments, so that an entry that keeps its file in memory is noticed at once. */
const makeText = (jobs: number): string =>
  Array.from({ length: jobs }, (_, i) => {
    const zone = ['Europe/Amsterdam', 'America/New_York', 'UTC'][i % 3]
    const when = `${i % 60} ${i % 24} * * ${i % 7} @tz(${zone}) @win(after,${(i % 90) + 1}m) @policy(deadline=${i % 50}m)`
    return `# ${'x'.repeat(2_000)}\n${when} name=team/job-${i} command="/usr/local/bin/backup --set ${i}"\n`
  }).join('')

test('a parsed job costs at most 400 bytes and does not keep its file alive', () => {
  const jobs = 20_000
  parseJobFile(makeText(100), '/etc/krond.d/warm-up.kron')
  const before = heapUsed()
  const { entries, faults } = parseJobFile(makeText(jobs), '/etc/krond.d/jobs.kron')
  assert.equal(faults.length, 0)
  const each = (heapUsed() - before) / jobs
  assert.equal(entries.length, jobs)
  assert.ok(each <= 400, `${Math.round(each)} bytes a job`)
})
