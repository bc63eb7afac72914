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

/** The JSON output of an `explain` command. */
async function explained(file: string, args: readonly string[]) {
  const words = ['--conditions=kron-source', join(packages, file), 'explain', ...args, '--format', 'json']
  const { stdout } = await run(process.execPath, words)
  return JSON.parse(stdout) as { chosenTime: string; seedHash: string }
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

    const identity = `${named.namespace}/${named.name}`
    const file = join(world().plane.directory, 'same.kron')
    writeFileSync(file, `${printSchedule(jobFrom(named, spec).schedule)} name=same command=/bin/true\n`)
    const kronctl = 'operator/src/bin/kronctl.ts'
    const answers = await Promise.all([
      explained(kronctl, ['-f', manifest, '--period', period]),
      explained(kronctl, [identity, '--kubeconfig', world().plane.kubeconfig, '--period', period]),
      explained('krontab/src/bin/krontab.ts', [
        'same',
        '-f',
        file,
        '--identity',
        identity,
        '--period',
        period,
      ]),
    ])
    for (const { chosenTime, seedHash } of answers)
      assert.deepEqual([chosenTime, seedHash], [chosen, status!.lastSeedHash])
    await replica.kill('SIGTERM')
  })
}
