import type { RunContext } from '../registration/registration.ts'

/** What a callback is told. The signal is made when it is asked for: most callbacks never do, and there may be many. */
export class Run implements RunContext {
  readonly name: string
  readonly attempt: number
  /** Whether the callback has ended. */
  ended = false
  readonly #scheduledFor: () => number
  #controller: AbortController | undefined
  #aborted: { readonly reason: unknown } | undefined

  constructor(name: string, attempt: number, scheduledFor: () => number) {
    this.name = name
    this.attempt = attempt
    this.#scheduledFor = scheduledFor
  }

  get scheduledFor(): number {
    return this.#scheduledFor()
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason }
    this.#controller?.abort(reason)
  }
}
