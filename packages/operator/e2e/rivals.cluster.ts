import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../verify/cluster/until.ts'
import { holderOf, type Replica, type ReplicaOptions, startReplica } from './support/replica.ts'
import { instantNow, startStream } from './support/stream.ts'
import type { World } from './support/world.ts'

/** Longer than any wait in a test, so a new leader must have been handed the lease. */
const LONG = '10m'
const SKEWED = join(import.meta.dirname, 'support/skewed-operator.ts')

/** Tests of several replicas with one lease. */
export function rivals(world: () => World): void {
  const leader = (namespace: string): Promise<string | undefined> => holderOf(world(), namespace)

  describe('rivals', { concurrency: true }, () => {
    test('two replicas that fight for the lease start every period once or say why not', async () => {
      const namespace = await world().namespace('fight')
      const stream = await startStream(world(), namespace, 30)
      const from = instantNow()
      const replicas = new Map<string, Replica>()
      const launch = async (name: string): Promise<void> => {
        replicas.set(name, await startReplica(world(), { name, namespace, leaseDuration: '3s' }))
      }
      await Promise.all([launch('fight-a'), launch('fight-b')])
      // The first minute passes before any period can start.
      for (let round = 0; round < 12 || instantNow() < from + 120; round++) {
        const name = await until('someone leads', () => leader(namespace).then(each => each || false))
        const victim = replicas.get(name)!
        await pause(Math.random() * 1_500)
        if (round % 3 === 2) {
          await victim.kill('SIGKILL')
          await launch(name)
        } else {
          process.kill(victim.pid, 'SIGSTOP')
          await until('the other takes over', async () => (await leader(namespace)) !== name)
          process.kill(victim.pid, 'SIGCONT')
        }
      }
      const to = instantNow()
      const { wrong, periods, started } = await stream.account(from, to)
      assert.deepEqual(wrong, [])
      assert.ok(started > 0 && periods > 10, `${started} of ${periods} periods were started`)
      for (const replica of replicas.values()) await replica.kill('SIGTERM')
      await stream.stop()
    })

    test('replicas whose clocks differ by 40 seconds start every period once or say why not', async () => {
      const namespace = await world().namespace('skew')
      const stream = await startStream(world(), namespace, 30)
      const from = instantNow()
      const options = (name: string, skew: number): ReplicaOptions => ({
        name,
        namespace,
        program: SKEWED,
        env: { KRON_TEST_SKEW: String(skew) },
      })
      // The first minute passes before any period can start.
      for (let round = 0; round < 4 || instantNow() < from + 120; round++) {
        for (const [name, skew] of [
          ['fast', 20_000],
          ['slow', -20_000],
        ] as const) {
          const replica = await startReplica(world(), options(name, skew))
          await replica.leading()
          await pause(5_000 + Math.random() * 3_000)
          await replica.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
        }
      }
      const to = instantNow()
      const exact = await startReplica(world(), { name: 'exact', namespace, leaseDuration: '3s' })
      const { wrong, periods, started } = await stream.account(from, to)
      assert.deepEqual(wrong, [])
      assert.ok(started > 0 && periods > 10, `${started} of ${periods} periods were started`)
      await exact.kill('SIGTERM')
      await stream.stop()
    })

    test('SIGTERM hands the lease over at once', async () => {
      const namespace = await world().namespace('handover')
      const first = await startReplica(world(), { name: 'handover-a', namespace, leaseDuration: LONG })
      await first.leading()
      const second = await startReplica(world(), { name: 'handover-b', namespace, leaseDuration: LONG })
      await until('the second waits', () => second.logged().includes('"event":"synced"'))
      await first.kill('SIGTERM')
      assert.equal(await first.exited, 0)
      await second.leading()
      await second.kill('SIGTERM')
    })
  })
}
