import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { Audit } from './audit.ts'
import type { Named } from './kron-jobs.ts'
import { type Replica, startReplica } from './replica.ts'
import type { World } from './world.ts'

/** One replica and one audit for all tests of a suite, in a separate namespace. No period may run twice or against its outcome. */
export function shareReplica(
  world: () => World,
  namespace: string,
): { readonly audit: () => Audit; readonly named: (name: string) => Named } {
  let replica: Replica
  let audit: Audit
  before(async () => {
    await world().namespace(namespace)
    audit = new Audit(world(), namespace)
    replica = await startReplica(world(), { name: namespace, namespace })
    await replica.leading()
  })
  after(async () => {
    assert.deepEqual(audit.contradictions(), [])
    await audit.stop()
    await replica.kill('SIGTERM')
  })
  return { audit: () => audit, named: name => ({ namespace, name }) }
}
