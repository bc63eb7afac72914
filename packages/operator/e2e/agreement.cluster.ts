import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { printSchedule } from '@kron/core'
import { stringify } from 'yaml'
import { create, jobFrom, jobsOf, outcome, soon, template } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import type { World } from './support/world.ts'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../..')

async function tool(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['--conditions=kron-source', join(packages, file), ...args])
  return stdout
}

export function agreement(world: () => World): void {
  test('kronctl, the operator and krontab choose the same second', async () => {
    const named = { namespace: await world().namespace('agreement'), name: 'same' }
    const replica = await startReplica(world(), { name: 'agreement', namespace: named.namespace })
    await replica.leading()
    const distribution = { name: 'exponential', params: { lambda: 1.5, dir: 'late' } }
    const spec = soon(named, {
      jobTemplate: template(world(), 'succeeds'),
      distribution,
      timezone: 'Asia/Kathmandu',
    })
    const manifest = join(world().plane.directory, 'same.yaml')
    const metadata = { namespace: named.namespace, name: named.name }
    writeFileSync(manifest, stringify({ apiVersion: 'kron.io/v1alpha1', kind: 'KronJob', metadata, spec }))
    await create(world(), named, spec)
    const { status } = await outcome(world(), named, 'executed')
    const period = status!.lastPeriodID!
    const [job] = await jobsOf(world(), named)
    const chosen = JSON.parse(job!.metadata.annotations!['kron.io/decision']!).chosenTime

    const fromFile = JSON.parse(
      await tool(
        'operator/src/bin/kronctl.ts',
        'explain',
        '-f',
        manifest,
        '--period',
        period,
        '--format',
        'json',
      ),
    )
    assert.deepEqual([fromFile.chosenTime, fromFile.seedHash], [chosen, status!.lastSeedHash])

    const { kubeconfig } = world().plane
    const place = [
      `${named.namespace}/${named.name}`,
      '--kubeconfig',
      kubeconfig,
      '--period',
      period,
      '--json',
    ]
    assert.equal(
      JSON.parse(await tool('operator/src/bin/kronctl.ts', 'explain', ...place)).chosenTime,
      chosen,
    )

    const file = join(world().plane.directory, 'same.kron')
    writeFileSync(file, `${printSchedule(jobFrom(named, spec).schedule)} name=same command=/bin/true\n`)
    const line = [
      file,
      'same',
      '--identity',
      `${named.namespace}/${named.name}`,
      '--period',
      period,
      '--json',
    ]
    assert.equal(JSON.parse(await tool('krontab/src/bin/krontab.ts', 'explain', ...line)).chosenTime, chosen)
    await replica.kill('SIGTERM')
  })
}
