import { after, before, describe } from 'node:test'
import { agreement } from './agreement.cluster.ts'
import { changes } from './changes.cluster.ts'
import { conventions } from './conventions.cluster.ts'
import { convert } from './convert.cluster.ts'
import { cronJobBehaviours } from './cronjob-behaviours.cluster.ts'
import { failover } from './failover.cluster.ts'
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
import { rivals } from './rivals.cluster.ts'
import { createWorld, type World } from './support/world.ts'
import { upgrade } from './upgrade.cluster.ts'

describe('the operator on a real cluster', { timeout: 40 * 60_000 }, () => {
  let world: World
  const here = (): World => world
  before(async () => {
    world = await createWorld({ audit: true })
  })
  after(() => world.plane.stop())

  describe('side by side', { concurrency: true }, () => {
    manifests(here)
    policies(here)
    changes(here)
    agreement(here)
    cronJobBehaviours(here)
    conventions(here)
    convert(here)
    kronctl(here)
    kustomize(here)
    jobTemplate(here)
    kills(here)
  })

  // These suites mostly wait, so they run at the same time and take as long as the longest.
  describe('refused, failed over and cut off', { concurrency: true }, () => {
    refusals(here)
    failover(here)
    rivals(here)
    brokenNetwork(here)
    namespacedPermissions(here)
  })

  describe('one after the other', () => {
    clusterPermissions(here)
    upgrade(here)
    helm(here)
    lostApiServer(here)
  })
})
