import { KronError, printInstant } from '@kron/core'
import { goneJobs, pruneChoice } from '@kron/host'
import type { PruneResult, ReloadResult } from '@kron/host/api'
import { SerialQueue, systemClock } from '@kron/runtime'
import type { Configuration } from '../config/configuration.ts'
import { type DaemonOptions, hasCrontabs } from '../config/options.ts'
import type { Status } from '../control/status.ts'
import type { Daemon, Reload } from '../effects/daemon.ts'
import type { Changes } from '../log/event.ts'
import * as events from '../log/event.ts'
import type { StateStore } from '../store/state-store.ts'
import type { KrondParts } from './krond.ts'

export interface ReloadsParts extends Pick<KrondParts, 'reader' | 'emit' | 'clock'> {
  readonly options: DaemonOptions
  /** The daemon and its store; undefined before the start and after the end. */
  readonly running: () => { readonly daemon: Daemon; readonly store: StateStore } | undefined
  readonly begun: () => void
  /** Called when new definitions are in force. */
  readonly applied: (configuration: Configuration) => void
  /** Called after every reload, also a refused one. */
  readonly over: () => void
  /** Runs work; if a write fails, the daemon ends. */
  readonly orFail: (work: () => Promise<void>) => Promise<void>
}

/** Reloads of the configuration and of zone files, and the removal of old states: one at a time. */
export class Reloads {
  readonly #parts: ReloadsParts
  readonly #queue = new SerialQueue()
  /** The job files that were left out because of mistakes. */
  refusedFiles: readonly string[] = []
  /** The last reload, if it was refused. */
  refused: Status['refusedReload']

  constructor(parts: ReloadsParts) {
    this.#parts = parts
  }

  /** Parses everything, then changes the jobs; a mistake changes nothing, or with --keep-going nothing of its file. */
  reload(read = (): Configuration => this.#parts.reader.read()): Promise<ReloadResult> {
    return this.#queue.run(() => this.#reload(read))
  }

  /** Takes up zone files that an update of the host has replaced. */
  rezone(): Promise<void> {
    return this.#queue.run(async () => {
      const { reader, emit, running, orFail } = this.#parts
      const daemon = running()?.daemon
      if (daemon === undefined) return
      const { changed, entries } = reader.rezone()
      if (changed.length === 0) return
      await orFail(async () => {
        const changes = await daemon.reload(entries)
        emit(events.zonesChanged(changed, reader.zones.source(), changes.changed))
      })
    })
  }

  /** Removes the states of jobs that are gone; no job can come back meanwhile. */
  prune(dryRun: boolean): Promise<PruneResult> {
    return this.#queue.run(async () => {
      const { clock = systemClock, options, running } = this.#parts
      const { daemon, store } = running() ?? {}
      let answer: PruneResult = { removed: [], kept: [] }
      if (daemon === undefined || store === undefined) return answer
      const { driver } = daemon
      const live = new Set<string>()
      for (const slot of driver.jobs.slots()) live.add(driver.jobs.entry(slot)!.identity)
      const isGoneFromFiles = goneJobs()
      const isGone = (identity: string): boolean => {
        const path = identity.slice(0, identity.lastIndexOf(':'))
        if (live.has(identity) || driver.isRetired(identity) || this.refusedFiles.includes(path)) return false
        // krond reads crontabs again whenever they change, so a line that it does not know is gone.
        return isGoneFromFiles(identity) || (hasCrontabs(options) && !path.endsWith('.kron'))
      }
      await store.prune(states => {
        const now = Math.floor(clock.now() / 1_000)
        const { removable, kept } = pruneChoice(states, isGone, () => false, now)
        answer = { removed: removable.map(each => each.Identity), kept }
        return dryRun ? [] : removable
      })
      return answer
    })
  }

  async #reload(read: () => Configuration): Promise<ReloadResult> {
    const { emit, running, begun, applied, over, orFail } = this.#parts
    const daemon = running()?.daemon
    if (daemon === undefined) return { kind: 'refused', mistakes: ['krond is stopping'] }
    begun()
    const configuration = read()
    const reload = await this.#prepare(daemon, configuration)
    if ('kind' in reload) {
      this.refused = {
        at: printInstant(Math.floor(systemClock.now() / 1_000)),
        mistakes: reload.mistakes.length,
      }
      over()
      return reload
    }
    let changes: Changes = { added: 0, changed: 0, removed: 0, unchanged: 0 }
    await orFail(async () => {
      changes = await daemon.apply(reload)
      this.refusedFiles = configuration.refused
      this.refused = undefined
      applied(configuration)
      emit(events.reloaded(changes, configuration.refused.length))
    })
    over()
    const live = new Set(configuration.refusedCrontabs.map(({ path }) => path))
    const refusedJobFiles = configuration.refused.filter(path => !live.has(path))
    return { kind: 'applied', changes, refusedFiles: configuration.refused, refusedJobFiles }
  }

  async #prepare(
    daemon: Daemon,
    configuration: Configuration,
  ): Promise<Reload | (ReloadResult & { kind: 'refused' })> {
    const { emit, options } = this.#parts
    for (const error of [...configuration.errors, ...configuration.crontabErrors]) emit(events.failed(error))
    for (const message of configuration.warnings) emit(events.warned('weights', message))
    if (configuration.errors.length > 0 && !options.keepGoing) {
      emit(events.reloadRefused(configuration.errors.length))
      return { kind: 'refused', mistakes: configuration.errors.map(placeAndMessage) }
    }
    try {
      return await daemon.prepare(configuration.entries)
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      emit(events.failed(error))
      emit(events.reloadRefused(1))
      return { kind: 'refused', mistakes: [placeAndMessage(error)] }
    }
  }
}

/** Leaves out the text of the line: more people see the mistake than may read the file. */
const placeAndMessage = ({ place, message }: KronError): string =>
  place === undefined ? message : `${place.file}:${place.line}:${place.column}: ${message}`
