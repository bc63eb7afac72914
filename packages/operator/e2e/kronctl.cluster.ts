import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { jobsPath } from '../src/cluster/paths.ts'
import { MANUAL_LABEL } from '../src/plan/names.ts'
import { create, jobsOf, read, template, when } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import { shareReplica } from './support/shared-replica.ts'
import type { World } from './support/world.ts'

const KRONCTL = join(import.meta.dirname, '../src/bin/kronctl.ts')
const run = promisify(execFile)

/** Tests of kronctl against a real cluster. */
export function kronctl(world: () => World): void {
  describe('kronctl', { concurrency: true }, () => {
    const { named } = shareReplica(world, 'kronctl')
    const ctl = async (...args: string[]): Promise<string> => {
      const config = `--kubeconfig=${world().plane.kubeconfig}`
      return (await run(process.execPath, ['--conditions=kron-source', KRONCTL, ...args, config])).stdout
    }
    const yearly = { schedule: '0 0 1 1 *', window: { duration: '1h' } }

    test('trigger starts a Job by hand that no period and no limit counts', async () => {
      const one = named('by-hand')
      await create(world(), one, {
        ...yearly,
        jobTemplate: template(world(), 'runs'),
        history: { successful: 0 },
      })
      const before = await when(world(), one, 'is seen', each => each.status?.nextChosenTime)
      assert.match(await ctl('trigger', 'kronctl/by-hand', '--dry-run'), /would be created/)
      const name = (await ctl('trigger', 'kronctl/by-hand', '-o', 'name')).trim().replace('job.batch/', '')
      const job = await world().api.get<{
        metadata: { labels: Record<string, string>; ownerReferences: object[] }
      }>(jobsPath('kronctl', name))
      assert.equal(job.metadata.labels[MANUAL_LABEL], 'by-hand')
      assert.equal(job.metadata.ownerReferences.length, 1)
      assert.deepEqual(await jobsOf(world(), one), [])
      const { status } = await read(world(), one)
      assert.deepEqual([status?.activeCount, status?.handledThrough], [0, before.status?.handledThrough])
    })

    test('as another user it may do what that user may', async () => {
      await create(world(), named('guarded'), { ...yearly, jobTemplate: template(world(), 'runs') })
      await assert.rejects(ctl('suspend', 'kronctl/guarded', '--as', 'nobody'), /cannot get resource/)
      assert.equal(await ctl('suspend', 'kronctl/guarded', '-o', 'name'), 'kronjob.kron.io/guarded\n')
    })

    test('it is a plugin of kubectl', async () => {
      await create(world(), named('plugged'), { ...yearly, jobTemplate: template(world(), 'runs') })
      const bin = join(world().plane.directory, 'plugins')
      mkdirSync(bin)
      const script = `#!/bin/sh\nexec ${process.execPath} --conditions=kron-source ${KRONCTL} "$@"\n`
      writeFileSync(join(bin, 'kubectl-kron'), script)
      chmodSync(join(bin, 'kubectl-kron'), 0o755)
      const env = {
        ...process.env,
        PATH: `${bin}${delimiter}${process.env['PATH']}`,
        KUBECONFIG: world().plane.kubeconfig,
      }
      const { stdout } = await run(
        world().plane.binaries.kubectl,
        ['kron', 'next', 'kronctl/plugged', '-c', '1'],
        { env },
      )
      assert.match(stdout, /^kronctl\/plugged {2}\d{4}-01-01T00:/)
    })

    test('next agrees with an operator that has a salt, whose salt the status shows', async () => {
      const namespace = await world().namespace('salted')
      const one = { namespace, name: 'salted' }
      const replica = await startReplica(world(), { name: 'salted', namespace, args: ['--salt=cluster-7'] })
      await create(world(), one, { ...yearly, jobTemplate: template(world(), 'runs') })
      const { status } = await when(world(), one, 'has a next time', each => each.status?.nextChosenTime)
      assert.equal(status?.salt, 'cluster-7')
      assert.match(await ctl('next', 'salted/salted', '-c', '1'), new RegExp(status!.nextChosenTime!))
      assert.match(
        await ctl('next', 'salted/salted', '-c', '1', '--salt', 'cluster-7'),
        new RegExp(status!.nextChosenTime!),
      )
      assert.doesNotMatch(
        await ctl('next', 'salted/salted', '-c', '1', '--salt', 'other'),
        new RegExp(status!.nextChosenTime!),
      )
      await replica.kill('SIGTERM')
    })
  })
}
