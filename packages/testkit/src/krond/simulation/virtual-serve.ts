import type { Channel } from '@kron/host'
import type { RunFiles } from '../../../../krond/src/launch/run-files.ts'
import type { Fate, Life } from './fate.ts'
import { payloadOf, type VirtualShims } from './virtual-shims.ts'

/** The faults of a message between a daemon and its serve. */
export interface MessageFate {
  /** Milliseconds until it arrives. */
  delay(): number
  /** Whether an answer arrives twice. */
  isDoubled(): boolean
}

const SWIFT: MessageFate = { delay: () => 0, isDoubled: () => false }

/** One daemon's connection to the shims. Every message is a step at which the daemon, or serve, may die. */
export class VirtualServe implements Channel {
  onFrame: (payload: Buffer) => void = () => {}
  readonly #shims: VirtualShims
  readonly #fate: Fate
  readonly #life: Life
  readonly #messages: MessageFate
  /** The run of each number. */
  readonly #runs = new Map<string, string>()
  /** The arrival of the last answer to each number: answers to one number keep their order. */
  readonly #arrivals = new Map<string, number>()
  #isDead = false

  constructor(shims: VirtualShims, fate: Fate, life: Life, messages: MessageFate = SWIFT) {
    this.#shims = shims
    this.#fate = fate
    this.#life = life
    this.#messages = messages
  }

  /** serve is killed: no message arrives any more. */
  die(): void {
    this.#isDead = true
  }

  send(fields: readonly string[]): void {
    void this.#fate.touch(this.#life, async () => {
      if (this.#isDead) return
      this.#carryOut(fields)
    })
  }

  #carryOut([kind, ref = '', third = '', ...rest]: readonly string[]): void {
    const answer = (fields: readonly string[]): void => this.#deliver(ref, fields)
    switch (kind) {
      case 'start':
        this.#runs.set(
          ref,
          rest.find(each => each.startsWith('execution='))?.slice('execution='.length) ?? '',
        )
        return this.#shims.start(ref, third, rest, answer)
      case 'follow': {
        const claim = this.#shims.readClaim(third)?.toString('latin1') ?? ''
        this.#runs.set(ref, /^execution (.*)$/m.exec(claim)?.[1] ?? '')
        return this.#shims.follow(ref, third, answer)
      }
      case 'end':
        return this.#shims.endOf(this.#runs.get(ref) ?? '', third)
    }
  }

  #deliver(ref: string, fields: readonly string[]): void {
    const arrive = (): void => {
      if (!this.#life.dead && !this.#isDead) this.onFrame(payloadOf(fields))
    }
    const { clock } = this.#shims.processes
    const now = clock.monotonic!()
    const at = Math.max(now + this.#messages.delay(), this.#arrivals.get(ref) ?? 0)
    this.#arrivals.set(ref, at)
    const times = this.#messages.isDoubled() ? 2 : 1
    for (let time = 0; time < times; time++)
      if (at > now) clock.setTimer(at - now, arrive)
      else queueMicrotask(arrive)
  }
}

/** The shims' files as one daemon sees them: removing one is a step at which it may die. */
export const mortalFiles = (files: RunFiles, fate: Fate, life: Life): RunFiles => ({
  claimNames: () => files.claimNames(),
  readClaim: name => files.readClaim(name),
  readEnd: id => files.readEnd(id),
  removeClaim: name => void fate.touch(life, async () => files.removeClaim(name)),
  removeEnd: id => void fate.touch(life, async () => files.removeEnd(id)),
  removeOutput: id => files.removeOutput(id),
})
