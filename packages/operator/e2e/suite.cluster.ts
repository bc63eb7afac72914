import { after, before, describe } from 'node:test'
import { crashes } from './crashes.cluster.ts'
import { manifests } from './manifests.cluster.ts'
import { policies } from './policies.cluster.ts'
import { createWorld, type World } from './support/world.ts'

describe('the operator on a real cluster', { timeout: 20 * 60_000 }, () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world.plane.stop())

  describe('side by side', { concurrency: true }, () => {
    manifests(() => world)
    policies(() => world)
    crashes(() => world)
  })
})
