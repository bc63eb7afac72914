import { backoff } from '@kron/runtime'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import { type Address, printAddress } from './address.ts'

/** The pauses between two tries. */
const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 60_000

export interface ListenerParts {
  readonly address: Address
  readonly scheme?: 'http' | 'https'
  /** Resolves with the actual address. */
  readonly open: () => Promise<Address>
  readonly emit: Emit
}

/** The state of the listener, as `krond status` shows it. */
export interface ListenerStatus {
  readonly address: string
  readonly listening: boolean
  /** Why the daemon does not listen; it keeps trying. */
  readonly problem: string | null
}

/**
 * Listens, now or later. Jobs run without the listener, and any local user can occupy its port: a failure is only a
 * warning, and the listener tries again with growing pauses.
 */
export class Listener {
  readonly #parts: ListenerParts
  #address: Address
  #problem: string | null = null
  #listening = false
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  constructor(parts: ListenerParts) {
    this.#parts = parts
    this.#address = parts.address
  }

  get status(): ListenerStatus {
    return {
      address: printAddress(this.#address, this.#parts.scheme),
      listening: this.#listening,
      problem: this.#problem,
    }
  }

  /** Resolves after the first try. */
  async start(): Promise<void> {
    const { open, emit } = this.#parts
    try {
      this.#address = await open()
      this.#listening = true
      this.#problem = null
      emit(events.listening(printAddress(this.#address, this.#parts.scheme)))
    } catch (error) {
      const { message } = error as Error
      // Logged once, and again only if the reason changes: the tries go on until one succeeds.
      if (message !== this.#problem)
        emit(events.warned('listen', `${message}; jobs run all the same, and krond tries again`))
      this.#problem = message
      const backoffMs = backoff(++this.#failures, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS)
      this.#timer = setTimeout(() => void this.start(), backoffMs)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#listening = false
  }
}
