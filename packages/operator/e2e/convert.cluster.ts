import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { kronJobsPath } from '../src/cluster/paths.ts'
import { convertCronJob } from '../src/convert/cron-job.ts'
import type { World } from './support/world.ts'

const CORPUS = join(import.meta.dirname, '../corpus/cronjobs.yaml')

/** Tests that a real API server accepts converted CronJobs. */
export function convert(world: () => World): void {
  test('every converted CronJob of the corpus is accepted by the API server', async () => {
    const namespace = await world().namespace('convert')
    const cronJobs = parseAllDocuments(readFileSync(CORPUS, 'utf8')).map(each => each.toJS())
    const refused: string[] = []
    let accepted = 0
    for (const cronJob of cronJobs) {
      const conversion = convertCronJob(cronJob)
      if (!conversion.ok) continue
      const { manifest } = conversion
      const body = { ...manifest, metadata: { ...manifest.metadata, namespace } }
      const query = { dryRun: 'All', fieldValidation: 'Strict' }
      await world()
        .api.call('POST', kronJobsPath(namespace), { body, query })
        .then(() => accepted++)
        .catch(error => refused.push(`${manifest.metadata.name}: ${error.message}`))
    }
    console.error(`# convert: ${accepted} of ${cronJobs.length} converted and accepted`)
    assert.deepEqual(refused, [])
    assert.ok(accepted >= 100)
  })
}
