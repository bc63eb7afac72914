import { after, before, describe } from 'node:test'
import { agreement } from './agreement.cluster.ts'
import { changes } from './changes.cluster.ts'
import { conventions } from './conventions.cluster.ts'
import { convert } from './convert.cluster.ts'
import { cronJobBehaviours } from './cronjob-behaviours.cluster.ts'
import { failover } from './failover.cluster.ts'
import { files } from './files.cluster.ts'
import { firstStart } from './first-start.cluster.ts'
import { helm } from './helm.cluster.ts'
import { jobTemplate } from './job-template.cluster.ts'
import { kills } from './kills.cluster.ts'
import { kronctl } from './kronctl.cluster.ts'
import { kustomize } from './kustomize.cluster.ts'
import { manifests } from './manifests.cluster.ts'
import { brokenNetwork, lostApiServer } from './outages.cluster.ts'
import { clusterPermissions, namespacedPermissions } from './permissions.cluster.ts'
import { policies } from './policies.cluster.ts'
import { refusals } from './refusals.cluster.ts'
import { requests } from './requests.cluster.ts'
import { rivals } from './rivals.cluster.ts'
import { createWorld, type World } from './support/world.ts'
import { upgrade } from './upgrade.cluster.ts'

/** An existing cluster is only one, so that nothing may run beside the tests that change all of it. */
const isOwn = process.env['KUBECONFIG_UNDER_TEST'] === undefined

/** A control plane for the tests of one part. */
function onCluster(): () => World {
  let world: World
  before(async () => {
    world = await createWorld({ audit: true })
  })
  after(() => world.plane.stop())
  return () => world
}

/** The number of parts that run at the same time on one control plane. More would only wait for the processors. */
const AT_ONCE = 6

// Most tests wait for the next minute, so they run at the same time, the longest first.
describe('the operator on a real cluster', { timeout: 40 * 60_000, concurrency: isOwn }, () => {
  describe('side by side', { concurrency: AT_ONCE }, () => {
    const here = onCluster()
    refusals(here)
    failover(here)
    kills(here)
    rivals(here)
    requests(here)
    firstStart(here)
    changes(here)
    policies(here)
    cronJobBehaviours(here)
    brokenNetwork(here)
    namespacedPermissions(here)
    files(here)
    manifests(here)
    convert(here)
    agreement(here)
    conventions(here)
    kronctl(here)
    kustomize(here)
    jobTemplate(here)
  })

  // Each of these affects all namespaces, so they have another control plane for themselves.
  describe('one after the other', { concurrency: false }, () => {
    const here = onCluster()
    describe('installed', { concurrency: true }, () => {
      helm(here)
      clusterPermissions(here)
    })
    upgrade(here)
    lostApiServer(here)
  })
})
