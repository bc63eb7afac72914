import { until } from '../../../../verify/cluster/until.ts'
import type { Named } from './kron-jobs.ts'
import type { World } from './world.ts'

export interface SeenEvent {
  readonly type: string
  readonly reason: string
  readonly note: string
}

/** The Events about a KronJob. */
export async function eventsOf(world: World, { namespace, name }: Named): Promise<SeenEvent[]> {
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`
  const { items } = await world.api.get<{
    items: (SeenEvent & { regarding: { kind: string; name: string } })[]
  }>(path)
  return items.filter(({ regarding }) => regarding.kind === 'KronJob' && regarding.name === name)
}

/** Waits for an Event. It is written after the status it belongs to. */
export const told = (world: World, named: Named, reason: string): Promise<SeenEvent> =>
  until(`${named.name} has an Event ${reason}`, async () =>
    (await eventsOf(world, named)).find(each => each.reason === reason),
  )
