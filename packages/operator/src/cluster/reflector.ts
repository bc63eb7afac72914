import type { Clock } from '@kron/runtime'
import { keyOf, type Metadata } from '../manifest/kronjob.ts'
import type { Api } from './api.ts'
import { ApiError, isGone, type StatusBody } from './api-error.ts'
import { jitteredBackoff } from './backoff.ts'
import { sleep } from './sleep.ts'

export interface Reflection<O> {
  put(object: O): void
  /** Called after a full list with the keys of its objects. All others are gone. */
  retain(keys: ReadonlySet<string>, version: string): void
  remove(object: O): void
}

export interface ReflectorOptions<O> {
  readonly api: Api
  readonly path: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly into: Reflection<O>
  readonly clock: Clock
  /** The silence after which a watch counts as dead. The server sends bookmarks about once a minute. */
  readonly stallTimeout?: number
  readonly onTrouble?: (error: unknown) => void
}

interface WatchEvent<O> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: O & StatusBody & { readonly code?: number }
}

interface ListPage<O> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items: readonly O[]
}

const STALL_TIMEOUT = 150_000
const PAGE = '250'
/** The server ends a watch after this many seconds, and the client waits no longer than that. */
const WATCH_SECONDS = 300
const SHORTEST_WATCH = 1_000
/** Watches end and restart all the time. Only a longer gap is reported. */
const TOLERATED_GAP = 15_000

/** Keeps a cache in sync with the API server: list, watch, resume, and list again when that fails. */
export class Reflector<O extends { readonly metadata: Metadata }> {
  readonly #options: ReflectorOptions<O>
  #version: string | undefined
  #watch: AbortController | undefined
  #synced = false
  /** The time since which the server has accepted no watch. Undefined while a watch is open. */
  #downSince: number | undefined
  #lists = 0
  #waiting: { after: number; done: () => void }[] = []

  constructor(options: ReflectorOptions<O>) {
    this.#options = options
  }

  get synced(): boolean {
    return this.#synced
  }

  /** The reason why the cache may be out of date: no list yet, or no working watch for a while. Otherwise undefined. */
  get trouble(): string | undefined {
    if (!this.#synced) return 'no list yet'
    if (this.#downSince === undefined) return undefined
    const seconds = Math.round((this.#monotonic() - this.#downSince) / 1000)
    return seconds * 1000 < TOLERATED_GAP ? undefined : `no watch for ${seconds} s`
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#watch?.abort(), { once: true })
    this.#downSince = this.#monotonic()
    let failures = 0
    while (!signal.aborted) {
      const started = this.#monotonic()
      try {
        if (this.#version === undefined) await this.#list()
        await this.#follow(signal)
        failures = this.#monotonic() - started < SHORTEST_WATCH ? failures + 1 : 0
      } catch (error) {
        if (signal.aborted) return
        if (isGone(error)) this.#version = undefined
        this.#options.onTrouble?.(error)
        failures = this.#monotonic() - started > 10 * SHORTEST_WATCH ? 1 : failures + 1
      }
      if (failures > 0) await sleep(this.#options.clock, jitteredBackoff(failures, 200, 30_000), signal)
    }
  }

  /** Resolves after a complete list that began after this call. */
  refresh(): Promise<void> {
    const fresh = new Promise<void>(done => this.#waiting.push({ after: this.#lists + 1, done }))
    this.#version = undefined
    this.#watch?.abort()
    return fresh
  }

  async #list(): Promise<void> {
    const { api, path, into } = this.#options
    const turn = ++this.#lists
    const present = new Set<string>()
    let page: ListPage<O> | undefined
    do {
      const more: string | undefined = page?.metadata.continue
      const query = { limit: PAGE, ...this.#selectors(), ...(more && { continue: more }) }
      page = await api.call<ListPage<O>>('GET', path, { query, timeout: 60_000 })
      // Each page is taken over before the next, because a whole list may take a lot of memory.
      for (const item of page.items) {
        present.add(keyOf(item))
        into.put(item)
      }
    } while (page.metadata.continue)
    into.retain(present, page.metadata.resourceVersion)
    this.#version = page.metadata.resourceVersion
    this.#synced = true
    for (const { done } of this.#waiting.filter(each => each.after <= turn)) done()
    this.#waiting = this.#waiting.filter(each => each.after > turn)
    if (this.#waiting.length > 0) this.#version = undefined
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { api, path, clock, stallTimeout = STALL_TIMEOUT } = this.#options
    const version = this.#version
    if (version === undefined || signal.aborted) return
    const watch = new AbortController()
    this.#watch = watch
    let stalled = false
    const stall = (): void => {
      stalled = true
      watch.abort()
    }
    let timer = clock.setTimer(stallTimeout, stall)
    const query = {
      watch: 'true',
      resourceVersion: version,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(WATCH_SECONDS),
      ...this.#selectors(),
    }
    try {
      const heard = (line: string): void => {
        clock.clearTimer(timer)
        timer = clock.setTimer(stallTimeout, stall)
        this.#hear(JSON.parse(line) as WatchEvent<O>)
      }
      const opened = (): void => {
        this.#downSince = undefined
      }
      await api.stream(path, query, heard, watch.signal, opened)
    } catch (error) {
      if (stalled)
        throw new ApiError(0, { reason: 'Stalled', message: `the watch of ${path} fell silent` }, 'watch')
      if (!watch.signal.aborted || signal.aborted) throw error
    } finally {
      this.#downSince ??= this.#monotonic()
      clock.clearTimer(timer)
      this.#watch = undefined
    }
  }

  #selectors(): Record<string, string> {
    const { labelSelector, fieldSelector } = this.#options
    return { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) }
  }

  #hear({ type, object }: WatchEvent<O>): void {
    if (this.#version === undefined) return
    if (type === 'ERROR') throw new ApiError(object.code ?? 500, object, `watch ${this.#options.path}`)
    const { into } = this.#options
    if (type === 'DELETED') into.remove(object)
    else if (type !== 'BOOKMARK') into.put(object)
    this.#version = object.metadata.resourceVersion
  }

  #monotonic(): number {
    return this.#options.clock.monotonic?.() ?? this.#options.clock.now()
  }
}
