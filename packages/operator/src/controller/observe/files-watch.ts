import type { Clock } from '@kron/runtime'
import type { Api } from '../../cluster/api.ts'
import { isForbidden } from '../../cluster/api-error.ts'
import { Cache } from '../../cluster/cache.ts'
import { configMapsPath } from '../../cluster/paths.ts'
import { Reflector } from '../../cluster/reflector.ts'
import { sleep } from '../../cluster/sleep.ts'
import { type ConfigMap, FILES_NAME, NO_FILES, ScheduleFiles } from '../../manifest/schedule-files.ts'

export interface FilesWatchOptions {
  readonly api: Api
  readonly clock: Clock
  readonly stallTimeout?: number
  /** The namespaces to watch; undefined stands for all. */
  readonly scopes: readonly (string | undefined)[]
  /** Called with the namespace whose files have changed. */
  readonly onChange: (namespace: string) => void
  readonly onTrouble: (error: unknown) => void
}

/** The time within which the first list must arrive, in milliseconds. */
const FIRST_LIST = 10_000

/**
 * Watches the ConfigMap `kron-files` of each namespace. It begins when the first KronJob needs it: without calendars and
 * weights the operator asks for no ConfigMap and needs no permission for one.
 */
export class FilesWatch {
  readonly #options: FilesWatchOptions
  readonly #cache: Cache<ConfigMap, ScheduleFiles>
  readonly #end = new AbortController()
  #listed: Promise<unknown> | undefined
  #watching: Promise<unknown> = Promise.resolve()
  #isForbidden = false

  constructor(options: FilesWatchOptions) {
    this.#options = options
    this.#cache = new Cache<ConfigMap, ScheduleFiles>(
      ({ data }) => new ScheduleFiles(data),
      key => options.onChange(key.slice(0, key.indexOf('/'))),
    )
  }

  /** The files of a namespace. Rejects if they cannot be read yet, so that the caller tries again. */
  async of(namespace: string): Promise<ScheduleFiles> {
    this.#listed ??= this.#begin()
    const isListed = await Promise.race([
      this.#listed.then(() => true),
      sleep(this.#options.clock, FIRST_LIST, this.#end.signal).then(() => false),
    ])
    if (isListed) return this.#cache.get(`${namespace}/${FILES_NAME}`) ?? NO_FILES
    const why = this.#isForbidden ? 'the operator has no permission to list and watch it' : 'no list yet'
    throw new Error(`cannot read the ConfigMap ${FILES_NAME}: ${why}`)
  }

  #begin(): Promise<unknown> {
    const { api, clock, stallTimeout, scopes } = this.#options
    const reflectors = scopes.map(
      scope =>
        new Reflector<ConfigMap>({
          api,
          clock,
          path: configMapsPath(scope),
          // The role names this one ConfigMap; a list is allowed only with the name as its selector.
          fieldSelector: `metadata.name=${FILES_NAME}`,
          into: this.#cache.within(scope),
          ...(stallTimeout !== undefined && { stallTimeout }),
          onTrouble: error => {
            this.#isForbidden = isForbidden(error)
            this.#options.onTrouble(error)
          },
        }),
    )
    const listed = Promise.all(reflectors.map(each => each.refresh()))
    this.#watching = Promise.all(reflectors.map(each => each.run(this.#end.signal)))
    return listed
  }

  async stop(): Promise<void> {
    this.#end.abort()
    await this.#watching
  }
}
