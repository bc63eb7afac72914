import { randomUUID } from 'node:crypto'
import { type Entry, type Pause, planReset } from '@kron/host'
import { SerialQueue } from '@kron/runtime'
import type {
  Actions,
  PauseAnswer,
  PauseRequest,
  ResetAnswer,
  ResetRequest,
  ResumeRequest,
  TriggerAnswer,
  TriggerRequest,
} from '../driver/action.ts'
import type { Driver } from '../driver/driver.ts'
import type { Message } from '../driver/effect.ts'
import type { Ending } from '../driver/execution.ts'
import { REPEATED } from '../driver/manual.ts'
import type { Ports } from './ports.ts'

/** A reset is planned anew if the state has changed meanwhile. */
const RESET_TRIES = 5

/** Carries out the actions of people: it asks the driver by messages and answers when the effect is durable. */
export class DriverActions implements Actions {
  readonly #ports: Ports
  readonly #driver: Driver
  readonly #send: (message: Message) => Promise<void> | undefined
  /** Pauses are changed one at a time. */
  readonly #pausing = new SerialQueue()

  constructor(ports: Ports, driver: Driver, send: (message: Message) => Promise<void> | undefined) {
    this.#ports = ports
    this.#driver = driver
    this.#send = send
  }

  async trigger(request: TriggerRequest): Promise<TriggerAnswer> {
    const { identity, requestId } = request
    const known = this.#isKnown(identity) ? await this.#ports.store.peek(identity) : undefined
    if (known?.ManualRuns?.some(each => each.RequestID === requestId))
      return { kind: 'refused', reason: 'repeated', message: REPEATED }
    return new Promise(resolve => {
      let finished!: (ending: Ending) => void
      const ended = new Promise<Ending>(end => {
        finished = end
      })
      const caller = {
        started: ({ id, pid }: { id: string; pid: number }) =>
          resolve({ kind: 'started', executionId: id, pid, ended }),
        refused: (reason: Extract<TriggerAnswer, { kind: 'refused' }>['reason'], message: string) =>
          resolve({ kind: 'refused', reason, message }),
        finished,
      }
      void this.#send({ kind: 'trigger', request, caller })
    })
  }

  pause(request: PauseRequest): Promise<PauseAnswer> {
    return this.#pausing.run(async () => {
      const second = Math.floor(this.#ports.clock.now() / 1_000)
      const { identity = null, from = second, until = null, reason, user } = request
      if (identity !== null && !this.#isKnown(identity))
        return { kind: 'refused', message: `there is no job ${identity}` }
      if (until !== null && until <= Math.max(from, second))
        return { kind: 'refused', message: 'the pause would end before it begins, or in the past' }
      const pause: Pause = { id: randomUUID(), identity, from, until, reason, user, at: second }
      await this.#savePauses([...this.pauses(), pause])
      return { kind: 'paused', pause }
    })
  }

  resume(request: ResumeRequest): Promise<readonly Pause[]> {
    return this.#pausing.run(async () => {
      const isEnded = (pause: Pause): boolean =>
        'id' in request ? pause.id === request.id : 'all' in request || pause.identity === request.identity
      const ended = this.pauses().filter(isEnded)
      if (ended.length > 0) await this.#savePauses(this.pauses().filter(each => !isEnded(each)))
      return ended
    })
  }

  async reset({ identity, to, force }: ResetRequest): Promise<ResetAnswer> {
    for (let tries = 0; tries < RESET_TRIES; tries++) {
      const entry = this.#entryOf(identity)
      // The claim of a run that has just ended is released when its end is in the state file. Until then it would bar
      // its period from running again.
      await this.#ports.store.flush()
      const known = entry === undefined ? undefined : await this.#ports.store.peek(identity)
      if (entry === undefined || known === undefined) return { kind: 'unknown_job' }
      const plan = planReset(known, entry.schedule, to, force)
      if (plan.kind !== 'reset') return plan
      const { handled, forgotten } = plan
      let isReset = false
      const done = (answer: boolean): void => {
        isReset = answer
      }
      await this.#send({ kind: 'reset', identity, seq: known.Seq, handled, forgotten, done })
      if (isReset) return { kind: 'reset', forgotten }
    }
    return { kind: 'busy' }
  }

  pauses(): readonly Pause[] {
    const second = Math.floor(this.#ports.clock.now() / 1_000)
    return this.#driver.pauses.filter(({ until }) => until === null || until > second)
  }

  async #savePauses(pauses: readonly Pause[]): Promise<void> {
    await this.#ports.pauses.save(pauses)
    void this.#send({ kind: 'pauses', pauses })
  }

  #isKnown(identity: string): boolean {
    return this.#entryOf(identity) !== undefined
  }

  #entryOf(identity: string): Entry | undefined {
    const { jobs } = this.#driver
    for (const slot of jobs.slots()) if (jobs.entry(slot)!.identity === identity) return jobs.entry(slot)
    return undefined
  }
}
