import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Replica, startReplica } from '../../../packages/operator/e2e/support/replica.ts'
import type { World } from '../../../packages/operator/e2e/support/world.ts'
import { kronJobsPath } from '../../../packages/operator/src/cluster/paths.ts'
import type { KronJob } from '../../../packages/operator/src/manifest/kronjob.ts'
import { until } from '../../cluster/until.ts'
import { createKronJobs, NAMESPACE } from './objects.ts'
import type { Lateness, Starts } from './starts.ts'
import { metric } from './traffic.ts'

/** The built operator, as the image has it. Node keeps a compiler in memory for programs in TypeScript. */
const BUILT = join(import.meta.dirname, '../../../packages/operator/dist/bin/kron-operator.js')
const PREFIX = 'soon'
/** The goal for the first start: KronJobs that are due this many seconds after it must start in time. */
const DUE_AFTER = 20
const LONGEST = 1_800_000

interface Page {
  readonly metadata: { readonly continue?: string }
  readonly items: readonly KronJob[]
}

export interface FirstStart {
  readonly replica: Replica
  /** Seconds from the start of the process until every KronJob has its alarm: from then on, all start in time. */
  readonly armed: number
  /** Seconds from the start of the process until every KronJob has its first status. */
  readonly written: number
  /** Of the KronJobs that fell due while the first statuses were being written. */
  readonly soon: Lateness
}

/** The time from the start of the process until every KronJob has its alarm. */
export async function armed(world: World, timers: number): Promise<{ replica: Replica; seconds: number }> {
  const began = performance.now()
  const replica = await startReplica(world, { name: 'bench', namespace: NAMESPACE, program: BUILT })
  await replica.leading()
  const all = async (): Promise<boolean> => (await metric(replica.port, 'kron_timers')) >= timers
  await until('every KronJob has its alarm', all, { within: LONGEST, every: 200 })
  return { replica, seconds: (performance.now() - began) / 1000 }
}

/** Starts the operator for the first time, beside so many KronJobs, and adds some that are due soon after. */
export async function firstStart(
  world: World,
  starts: Starts,
  { idle, soon }: { readonly idle: number; readonly soon: number },
): Promise<FirstStart> {
  const due = Math.ceil((Date.now() / 1000 + soon / 20 + DUE_AFTER) / 60) * 60
  const at = new Date(due * 1000)
  const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`
  await createKronJobs(world, { prefix: PREFIX, count: soon, schedule })
  await pause(Math.max(0, (due - DUE_AFTER) * 1000 - Date.now()))
  const began = performance.now()
  const { replica, seconds } = await armed(world, idle + soon)
  const isCalm = async (): Promise<boolean> => (await metric(replica.port, 'workqueue_depth')) === 0
  const isWritten = async (): Promise<boolean> => (await isCalm()) && (await unwritten(world)) === 0
  await until('every KronJob has its status', isWritten, { within: LONGEST, every: 500 })
  const written = (performance.now() - began) / 1000
  const late = (): Lateness => starts.lateness(PREFIX, due)
  await until('the first Jobs have started', () => late().count >= soon, { within: LONGEST, every: 500 })
  return { replica, armed: seconds, written, soon: late() }
}

/** The number of KronJobs whose status is not about their spec. */
async function unwritten({ api }: World): Promise<number> {
  let count = 0
  let page: Page | undefined
  do {
    const more: string | undefined = page?.metadata.continue
    const query = { limit: '500', ...(more && { continue: more }) }
    page = await api.call<Page>('GET', kronJobsPath(NAMESPACE), { query, timeout: 60_000 })
    count += page.items.filter(each => each.status?.observedGeneration !== each.metadata.generation).length
  } while (page.metadata.continue)
  return count
}
