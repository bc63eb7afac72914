import { fieldsOf } from './frames.ts'
import { type EndReason, parseRunEnd, type RunEnd } from './run-end.ts'
import { type RunSpec, specFields } from './run-spec.ts'

/** Carries frames to and from one `kron-shim serve`. */
export interface Channel {
  send(fields: readonly string[]): void
  /** Called with the payload of each frame, in order. */
  onFrame: (payload: Buffer) => void
}

/** A run whose command was certainly executed. */
export interface StartedRun {
  readonly ref: number
  readonly pid: number
  /** In clock ticks since boot; with the PID it identifies the process for ever. */
  readonly processStart: number
  readonly shimPid: number
  /** CLOCK_BOOTTIME in milliseconds. */
  readonly startedBootMs: number
  /** `lost`: no process is left, and the end was not observed. */
  readonly ended: Promise<RunEnd | 'lost'>
}

export type StartAnswer =
  | { readonly kind: 'started'; readonly run: StartedRun }
  /** The command was certainly not executed and never will be. */
  | { readonly kind: 'refused'; readonly stage: string; readonly errno: number; readonly detail: string }
  /** The period was claimed before. */
  | { readonly kind: 'already' }
  /** The command may or may not have been executed. */
  | { readonly kind: 'unknown' }

export type FollowAnswer =
  | { readonly kind: 'running'; readonly run: StartedRun }
  | { readonly kind: 'ended'; readonly end: RunEnd }
  | { readonly kind: 'lost' }
  /** There is no claim, or one that nobody holds and that has no part 2: nothing was executed. */
  | { readonly kind: 'gone' }

/** How a run is ended: `grace` sends TERM first, `now` kills at once. */
export type EndManner = 'grace' | 'now'

/** Someone connected to the control socket and sent a line. */
export interface ControlRequest {
  readonly connection: string
  readonly uid: number
  readonly pid: number
  readonly line: string
}

export interface ShimObserver {
  /** Output of a job for the daemon's log; `droppedBytes` were lost before it. */
  output?(ref: number, stream: 'out' | 'err', droppedBytes: number, data: string): void
  request?(request: ControlRequest): void
  hangup?(connection: string): void
}

interface Conversation {
  readonly answer: (fields: readonly string[]) => void
  end: ((end: RunEnd | 'lost') => void) | undefined
}

const OUTPUT_FIELDS = 5

/** krond's side of the protocol with `kron-shim serve`. */
export class Shim {
  readonly #channel: Channel
  readonly #observer: ShimObserver
  readonly #open = new Map<number, Conversation>()
  #lastRef = 0

  constructor(channel: Channel, observer: ShimObserver = {}) {
    this.#channel = channel
    this.#observer = observer
    channel.onFrame = payload => this.#receive(payload)
  }

  /** Starts a run under a claim. The promise stays pending if serve dies: then the daemon must end, too. */
  start(claim: string, spec: RunSpec, onRef: (ref: number) => void = () => {}): Promise<StartAnswer> {
    const fields = specFields(spec)
    return this.#ask<StartAnswer>(['start', claim, ...fields], onRef, (ref, [kind, ...rest]) => {
      switch (kind) {
        case 'started':
          return { kind, run: this.#started(ref, rest) }
        case 'refused':
          return { kind, stage: rest[0] ?? '', errno: Number(rest[1]), detail: rest[2] ?? '' }
        case 'already':
        case 'unknown':
          return { kind }
        default:
          return undefined
      }
    })
  }

  /** Follows a run of an earlier daemon by its claim. */
  follow(claim: string): Promise<FollowAnswer> {
    return this.#ask<FollowAnswer>(
      ['follow', claim],
      () => {},
      (ref, [kind, ...rest]) => {
        switch (kind) {
          case 'started':
            return { kind: 'running', run: this.#started(ref, rest) }
          case 'ended': {
            const end = parseRunEnd(rest)
            return end === undefined ? { kind: 'lost' } : { kind, end }
          }
          case 'lost':
          case 'gone':
            return { kind }
          default:
            return undefined
        }
      },
    )
  }

  /** Ends a run with its whole process tree; its `ended` resolves when that is done. */
  end(ref: number, why: Exclude<EndReason, 'exited' | 'timeout'>, how: EndManner): void {
    this.#channel.send(['end', String(ref), why, how])
  }

  /** Takes a start back that is held until its time: it is answered by `refused held`. No effect on any other. */
  cancel(ref: number): void {
    this.#channel.send(['cancel', String(ref)])
  }

  /** Sends a message to the service manager. */
  notify(text: string): void {
    this.#channel.send(['notify', text])
  }

  answer(connection: string, text: string, isLast: boolean): void {
    this.#channel.send(['answer', connection, isLast ? 'last' : 'more', text])
  }

  #ask<T extends { readonly kind: string }>(
    [kind, ...fields]: readonly [string, ...string[]],
    onRef: (ref: number) => void,
    read: (ref: number, fields: readonly string[]) => T | undefined,
  ): Promise<T> {
    const ref = ++this.#lastRef
    return new Promise(resolve => {
      const answer = (received: readonly string[]): void => {
        const read_ = read(ref, received)
        if (read_ === undefined) return
        if (read_.kind !== 'started' && read_.kind !== 'running') this.#open.delete(ref)
        resolve(read_)
      }
      this.#open.set(ref, { answer, end: undefined })
      onRef(ref)
      this.#channel.send([kind, String(ref), ...fields])
    })
  }

  #started(ref: number, [pid, processStart, shimPid, , startedNs]: readonly string[]): StartedRun {
    const ended = new Promise<RunEnd | 'lost'>(resolve => {
      this.#open.get(ref)!.end = resolve
    })
    return {
      ref,
      pid: Number(pid),
      processStart: Number(processStart),
      shimPid: Number(shimPid),
      startedBootMs: Number(startedNs) / 1e6,
      ended,
    }
  }

  #receive(payload: Buffer): void {
    const [kind = '', first = '', ...rest] =
      payload.subarray(0, 7).toString('latin1') === 'output\0'
        ? fieldsOf(payload, OUTPUT_FIELDS)
        : fieldsOf(payload)
    switch (kind) {
      case 'output': {
        const [stream, dropped, data = ''] = rest
        return this.#observer.output?.(Number(first), stream === 'err' ? 'err' : 'out', Number(dropped), data)
      }
      case 'request': {
        const [uid, pid, line = ''] = rest
        return this.#observer.request?.({ connection: first, uid: Number(uid), pid: Number(pid), line })
      }
      case 'hangup':
        return this.#observer.hangup?.(first)
      default:
        return this.#answered(kind, Number(first), rest)
    }
  }

  #answered(kind: string, ref: number, rest: readonly string[]): void {
    const conversation = this.#open.get(ref)
    if (conversation === undefined) return
    if (conversation.end === undefined) return conversation.answer([kind, ...rest])
    if (kind !== 'ended' && kind !== 'lost') return
    this.#open.delete(ref)
    conversation.end(kind === 'ended' ? (parseRunEnd(rest) ?? 'lost') : 'lost')
  }
}
