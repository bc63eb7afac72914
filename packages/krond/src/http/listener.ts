import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import { type Address, printAddress } from './address.ts'

/** Milliseconds before the second try, and at most between two. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

export interface ListenerParts {
  readonly address: Address
  readonly scheme?: 'http' | 'https'
  /** Resolves with the address as it came to be. */
  readonly open: () => Promise<Address>
  readonly emit: Emit
}

/** Where the daemon can be looked at, as `krond status` tells it. */
export interface ListenerStatus {
  readonly address: string
  readonly listening: boolean
  /** Why it does not listen; it is tried again. */
  readonly problem: string | null
}

/**
 * Listens, now or later. Nobody needs the listener to run jobs, and any local user can hold its port: a failure is a
 * warning, and is tried again with growing pauses.
 */
export class Listener {
  readonly #parts: ListenerParts
  #address: Address
  #problem: string | null = null
  #listening = false
  #pause = FIRST_PAUSE
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
      // Said once, and again only if the reason changes: it is tried for as long as it takes.
      if (message !== this.#problem)
        emit(events.warned('listen', `${message}; jobs run all the same, and krond tries again`))
      this.#problem = message
      this.#timer = setTimeout(() => void this.start(), this.#pause)
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#listening = false
  }
}
