import type { Ports } from '../context.ts'
import { AnnouncedJobs } from './announced-jobs.ts'
import { Blocks } from './blocks.ts'
import { DryRuns } from './dry-runs.ts'
import { PendingOutcomes } from './pending-outcomes.ts'
import { UnconfirmedWrites } from './unconfirmed-writes.ts'

/**
 * Everything that this replica remembers about KronJobs beside the caches, in tables by key. No table is needed after a
 * crash: the cluster has enough to continue.
 */
export class Memory {
  /** Facts about the announced Jobs. They last until another replica has led. */
  readonly announcedJobs = new AnnouncedJobs()
  /** Why Jobs are refused, and when they are tried again. Lasts for one term. */
  readonly blocks: Blocks
  /** Starts whose outcome is not written yet. Lasts for one term. */
  readonly pendingOutcomes: PendingOutcomes
  /** Status writes without an answer. Lasts until the watch shows the KronJob again, with or without the lease. */
  readonly unconfirmedWrites = new UnconfirmedWrites()
  /** Templates that the API server has accepted. Lasts for some seconds. */
  readonly dryRuns: DryRuns

  constructor({ clock, random, writer }: Ports) {
    this.dryRuns = new DryRuns(writer, clock)
    this.blocks = new Blocks(random)
    this.pendingOutcomes = new PendingOutcomes(clock)
  }

  /** `isContinued` says that nobody else has led since the last term. */
  beginTerm(isContinued: boolean): void {
    if (!isContinued) this.announcedJobs.clear()
  }

  endTerm(): void {
    this.blocks.clear()
    this.pendingOutcomes.clear()
  }

  /** The KronJob is gone. */
  forget(key: string): void {
    this.blocks.end(key)
    this.announcedJobs.forget(key)
  }
}
