import type { Channel } from '@kron/host'
import type { RunFiles } from '../../../../krond/src/launch/run-files.ts'
import type { FaultPlan, Life } from './fault-plan.ts'
import { type Asker, payloadOf, type VirtualShims } from './virtual-shims.ts'

/** The faults of a message between a daemon and its serve. */
export interface MessageFate {
  /** Milliseconds until a request reaches serve. */
  requestDelay(): number
  /** Milliseconds until an answer reaches the daemon. */
  answerDelay(): number
  /** Whether an answer arrives twice. */
  isDoubled(): boolean
  /** Whether serve is killed at a request: before it acts, so that the request is lost, or after, so that the answer is. */
  kill(): 'before' | 'after' | undefined
}

export const SWIFT: MessageFate = {
  requestDelay: () => 0,
  answerDelay: () => 0,
  isDoubled: () => false,
  kill: () => undefined,
}

/** One daemon's connection to the shims. Every message is a step at which the daemon, or serve, may die. */
export class VirtualServe implements Channel {
  onFrame: (payload: Buffer) => void = () => {}
  /** Called when serve is killed at a message. */
  onDeath: () => void = () => {}
  readonly #shims: VirtualShims
  readonly #faults: FaultPlan
  readonly #life: Life
  readonly #messages: MessageFate
  /** The run of each number. */
  readonly #runs = new Map<string, string>()
  /** Requests that serve has not read yet: they are in the socket, and arrive even if the daemon dies. */
  #requests: (readonly string[])[] = []
  /** The arrival of the last answer to each number: answers to one number keep their order. */
  readonly #arrivals = new Map<string, number>()
  /** Starts that wait for their time. */
  readonly #held = new Map<string, () => void>()
  #isDead = false

  constructor(shims: VirtualShims, faults: FaultPlan, life: Life, messages: MessageFate = SWIFT) {
    this.#shims = shims
    this.#faults = faults
    this.#life = life
    this.#messages = messages
  }

  /** serve is killed: no message arrives any more. */
  die(): void {
    this.#isDead = true
    this.#held.clear()
    this.#requests = []
  }

  /** The daemon is dead: serve reads the rest of the socket and ends. */
  finish(): void {
    while (this.#requests.length > 0) this.#read()
    this.die()
  }

  /** The wall clock was set, or the machine slept: the times of the held starts may be wrong. */
  clockSet(): void {
    for (const ref of [...this.#held.keys()]) this.#cancel(ref)
  }

  /** Whether a request has not reached serve yet. */
  get isWaitedFor(): boolean {
    return this.#requests.length > 0
  }

  send(fields: readonly string[]): void {
    void this.#faults.touch(this.#life, async () => {
      if (this.#isDead) return
      this.#requests.push(fields)
      const delay = this.#messages.requestDelay()
      if (delay > 0) this.#shims.processes.clock.setTimer(delay, () => this.#read())
      else this.#read()
    })
  }

  /** serve reads one request; they keep their order. */
  #read(): void {
    const fields = this.#requests.shift()
    if (fields === undefined) return
    const killed = this.#life.dead ? undefined : this.#messages.kill()
    if (killed !== 'before') this.#carryOut(fields)
    if (killed === undefined) return
    this.die()
    this.onDeath()
  }

  #carryOut([kind, ref = '', third = '', ...rest]: readonly string[]): void {
    const asker: Asker = {
      isAlive: () => !this.#isDead && !this.#life.dead,
      answer: fields => this.#deliver(ref, fields),
    }
    switch (kind) {
      case 'start':
        this.#runs.set(
          ref,
          rest.find(each => each.startsWith('execution='))?.slice('execution='.length) ?? '',
        )
        return this.#hold(ref, rest, () => this.#shims.start(ref, third, rest, asker))
      case 'cancel':
        return this.#cancel(ref)
      case 'follow': {
        const claim = this.#shims.readClaim(third)?.toString('latin1') ?? ''
        this.#runs.set(ref, /^execution (.*)$/m.exec(claim)?.[1] ?? '')
        return this.#shims.follow(ref, third, asker)
      }
      case 'end':
        return this.#shims.endOf(this.#runs.get(ref) ?? '', third)
    }
  }

  /** Starts a run now, or at the time that its spec names. */
  #hold(ref: string, spec: readonly string[], start: () => void): void {
    const { clock, bootTime } = this.#shims.processes
    const first = spec.find(each => each.startsWith('first='))?.slice('first='.length)
    const leftMs = first === undefined ? 0 : Number(first) / 1e6 - bootTime()
    if (leftMs <= 0) return start()
    const executionId = this.#runs.get(ref) ?? ''
    this.#held.set(ref, start)
    this.#shims.processes.observer?.held(executionId)
    clock.setTimer(leftMs, () => {
      // serve ends with krond, and holds nothing then.
      if (!this.#held.delete(ref) || this.#life.dead) return
      const isTakenBack = this.#requests.some(([kind, of]) => kind === 'cancel' && of === ref)
      if (isTakenBack) this.#shims.processes.observer?.takenBackTooLate(executionId)
      start()
    })
  }

  #cancel(ref: string): void {
    if (this.#held.delete(ref)) this.#deliver(ref, ['refused', ref, 'held', '0', ''])
  }

  #deliver(ref: string, fields: readonly string[]): void {
    const arrive = (): void => {
      if (!this.#life.dead && !this.#isDead) this.onFrame(payloadOf(fields))
    }
    const { clock } = this.#shims.processes
    const now = clock.monotonic!()
    const at = Math.max(now + this.#messages.answerDelay(), this.#arrivals.get(ref) ?? 0)
    this.#arrivals.set(ref, at)
    const times = this.#messages.isDoubled() ? 2 : 1
    for (let time = 0; time < times; time++)
      if (at > now) clock.setTimer(at - now, arrive)
      else queueMicrotask(arrive)
  }
}

/** The shims' files as one daemon sees them: removing one is a step at which it may die. */
export const daemonFiles = (files: RunFiles, faults: FaultPlan, life: Life): RunFiles => ({
  claimNames: () => files.claimNames(),
  readClaim: name => files.readClaim(name),
  readEnd: id => files.readEnd(id),
  removeClaim: name => void faults.touch(life, async () => files.removeClaim(name)),
  removeEnd: id => void faults.touch(life, async () => files.removeEnd(id)),
  removeOutput: id => files.removeOutput(id),
})
