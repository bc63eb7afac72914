import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../verify/cluster/until.ts'
import { create, outcome, soon, template } from './support/kron-jobs.ts'
import { startProxy } from './support/proxy.ts'
import { startReplica } from './support/replica.ts'
import { instantNow, startStream } from './support/stream.ts'
import type { World } from './support/world.ts'

/** Tests of a failing network between the operator and the API server. */
export function brokenNetwork(world: () => World): void {
  describe('a broken network', { concurrency: true }, () => {
    test('what happened while every connection was cut is caught up with', async () => {
      const namespace = await world().namespace('cut')
      const proxy = await startProxy(world().plane.server)
      const kubeconfig = world().plane.kubeconfigFor('cut', { server: proxy.server })
      const replica = await startReplica(world(), { name: 'cut', namespace, kubeconfig, leaseDuration: '3s' })
      await replica.leading()
      proxy.cut()
      const named = { namespace, name: 'unseen' }
      await create(
        world(),
        named,
        soon(named, { jobTemplate: template(world(), 'succeeds'), policy: { deadline: '30m' } }),
      )
      await until('the operator gives up the lease', () => replica.logged().includes('"event":"not leading"'))
      proxy.restore()
      await outcome(world(), named, 'executed')
      await replica.kill('SIGTERM')
      proxy.close()
    })

    test('cut off again and again, it starts every period once or says why not', async () => {
      const namespace = await world().namespace('cuts')
      const proxy = await startProxy(world().plane.server)
      const kubeconfig = world().plane.kubeconfigFor('cuts', { server: proxy.server })
      const stream = await startStream(world(), namespace, 30)
      const from = instantNow()
      const replica = await startReplica(world(), {
        name: 'cuts',
        namespace,
        kubeconfig,
        leaseDuration: '6s',
      })
      await until('starts are under way', () => stream.audit.periods().length > 0)
      for (let round = 0; round < 20; round++) {
        await pause(Math.random() * 1_500)
        proxy.cut()
        await pause(Math.random() * 500)
        proxy.restore()
      }
      const to = instantNow()
      const { wrong, started } = await stream.account(from, to)
      assert.deepEqual(wrong, [])
      assert.ok(started > 0)
      await replica.kill('SIGTERM')
      await stream.stop()
      proxy.close()
    })

    test('a watch that falls silent without an error is noticed', async () => {
      const namespace = await world().namespace('frozen')
      const proxy = await startProxy(world().plane.server)
      const kubeconfig = world().plane.kubeconfigFor('frozen', { server: proxy.server })
      const options = { name: 'frozen', namespace, kubeconfig, watchTimeout: '5s' }
      const replica = await startReplica(world(), options)
      await replica.leading()
      proxy.freeze()
      const named = { namespace, name: 'unheard' }
      await create(
        world(),
        named,
        soon(named, { jobTemplate: template(world(), 'succeeds'), policy: { deadline: '30m' } }),
      )
      await outcome(world(), named, 'executed')
      assert.match(replica.logged(), /fell silent/)
      await replica.kill('SIGTERM')
      proxy.close()
    })
  })
}

/** This test affects the whole cluster, so no other test runs beside it. */
export function lostApiServer(world: () => World): void {
  test('the API server is killed and restarted, and every period is started once or the reason is on record', async context => {
    if (!world().own) return context.skip('the API server of an existing cluster is not ours to kill')
    const namespace = await world().namespace('restart')
    const stream = await startStream(world(), namespace, 30)
    const from = instantNow()
    const replicas = await Promise.all(
      ['restart-a', 'restart-b'].map(name => startReplica(world(), { name, namespace, leaseDuration: '6s' })),
    )
    await until('starts are under way', () => stream.audit.periods().length > 0)
    // A few periods prove little, and on a fast machine three rounds may see no more.
    for (let round = 0; round < 3 || stream.audit.periods().length <= 20; round++) {
      await world().plane.stopApiServer()
      await pause(Math.min(round, 2) * 4_000)
      await world().plane.startApiServer()
      const seen = stream.audit.periods().length
      await until('starts are under way again', () => stream.audit.periods().length > seen, {})
    }
    const to = instantNow()
    const { wrong, periods, started } = await stream.account(from, to)
    assert.deepEqual(wrong, [])
    assert.ok(started > 0 && periods > 10, `${started} of ${periods} periods were started`)
    for (const replica of replicas) await replica.kill('SIGTERM')
    await stream.stop()
  })
}
