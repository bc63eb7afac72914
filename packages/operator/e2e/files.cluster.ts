import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { configMapsPath } from '../src/cluster/paths.ts'
import type { KronJob } from '../src/manifest/kronjob.ts'
import { create, jobsOf, outcome, template, when } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import type { World } from './support/world.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const holds = ({ status }: KronJob, type: string): boolean =>
  status?.conditions?.some(each => each.type === type && each.status === 'True') ?? false

/** Writes the ConfigMap kron-files of a namespace. */
export async function writeFiles(
  world: World,
  namespace: string,
  data: Readonly<Record<string, string>>,
  method: 'POST' | 'PUT' = 'POST',
): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kron-files', namespace }, data }
  const path = method === 'POST' ? configMapsPath(namespace) : configMapsPath(namespace, 'kron-files')
  await world.api.call(method, path, { body })
}

/** Tests of calendars and weights from the ConfigMap kron-files, which the operator watches. */
export function files(world: () => World): void {
  describe('calendars and weights', { concurrency: false }, () => {
    test('a calendar is waited for, taken up when it comes, and its change moves only what is not handled', async () => {
      const namespace = await world().namespace('files')
      const replica = await startReplica(world(), { name: 'files', namespace })
      await replica.leading()
      const named = { namespace, name: 'avoiding' }
      const weighted = { namespace, name: 'weighted' }
      const jobTemplate = template(world(), 'succeeds')
      await create(world(), named, {
        schedule: '* * * * *',
        constraints: { avoid: [{ cal: 'holidays' }] },
        jobTemplate,
      })
      const missing = await when(world(), named, 'misses its calendar', each => holds(each, 'InvalidSpec'))
      const message = missing.status!.conditions!.find(each => each.type === 'InvalidSpec')!.message
      assert.match(message, /there is no calendar "holidays"/)
      assert.deepEqual(await jobsOf(world(), named), [])

      await writeFiles(world(), namespace, { 'holidays.dates': '2020-12-25\n', 'tariff.csv': '00:00,1\n' })
      const ready = await when(world(), named, 'has its calendar', each => holds(each, 'Ready'))
      assert.deepEqual(ready.status!.calendars, { holidays: sha256('2020-12-25\n') })
      const { status } = await outcome(world(), named, 'executed')
      const [job] = await jobsOf(world(), named)
      assert.match(job!.metadata.annotations!['kron.io/decision']!, new RegExp(sha256('2020-12-25\n')))

      await create(world(), weighted, {
        schedule: '0 0 1 1 *',
        window: { mode: 'after', duration: '1h' },
        distribution: { name: 'weights', params: { file: 'tariff' } },
        jobTemplate,
      })
      const curved = await when(world(), weighted, 'has its weights', each => each.status?.weightsDigest)
      assert.equal(curved.status!.weightsDigest, sha256('00:00,1\n'))

      const forEver = '2020-01-01..2099-12-31\n'
      await writeFiles(world(), namespace, { 'holidays.dates': forEver }, 'PUT')
      const closed = await when(world(), named, 'avoids every day', each => {
        return each.status?.calendars?.['holidays'] === sha256(forEver)
      })
      assert.equal(closed.status!.nextChosenTime, undefined)
      assert.ok(closed.status!.handledThrough! >= status!.lastPeriodID!, 'a handled period stays handled')
      const even = await when(world(), weighted, 'has lost its weights', each => each.status?.weightsFallback)
      assert.equal(even.status!.weightsFallback, 'missing')
      const ran = (await jobsOf(world(), named)).length
      await outcome(world(), named, 'unschedulable')
      assert.equal((await jobsOf(world(), named)).length, ran)
      await replica.kill('SIGTERM')
    })
  })
}
