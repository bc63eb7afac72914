import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { printInstant, upcoming } from '@kron/core'
import { parseAllDocuments } from 'yaml'
import { jobOf, parseSpec } from '../manifest/parse.ts'
import { convertCronJob } from './cron-job.ts'

const corpus = join(import.meta.dirname, '../../corpus')
const cronJobs = parseAllDocuments(readFileSync(join(corpus, 'cronjobs.yaml'), 'utf8')).map(
  each => each.toJS() as { metadata: { name: string }; spec: { schedule: string } },
)
const { from, cronJobs: answers } = JSON.parse(readFileSync(join(corpus, 'starts.json'), 'utf8')) as {
  from: number
  cronJobs: Record<string, { minutes?: number[]; error?: string }>
}

describe('the corpus of CronJobs', () => {
  test('has at least a hundred shapes, and all but @every of those that Kubernetes runs are converted', () => {
    assert.ok(cronJobs.length >= 100)
    const runs = cronJobs.filter(({ metadata }) => (answers[metadata.name]?.minutes?.length ?? 0) > 0)
    const left = runs.filter(each => !convertCronJob(each).ok).map(each => each.spec.schedule)
    assert.deepEqual(left, ['@every 1h', '@every 90m'])
  })

  for (const cronJob of cronJobs) {
    const { name } = cronJob.metadata
    test(`${name} starts when Kubernetes starts it, or is refused`, () => {
      const { minutes = [] } = answers[name]!
      const conversion = convertCronJob(cronJob)
      if (!conversion.ok) {
        assert.ok(minutes.length === 0 || cronJob.spec.schedule.startsWith('@every'))
        assert.ok(conversion.faults.every(each => each.length > 10))
        return
      }
      const read = parseSpec(conversion.manifest.spec)
      assert.ok(read.ok)
      const coming = upcoming(jobOf('x/y', read.schedule), from + 1)
      const starts = minutes.map(() => coming.next().value!.chosen!)
      assert.deepEqual(
        starts.map(printInstant),
        minutes.map(each => printInstant(each * 60)),
      )
    })
  }
})
