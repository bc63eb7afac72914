import { constants } from 'node:os'
import { crc32 } from 'node:zlib'
import { encodeFrame, LENGTH_BYTES } from '@kron/host'
import type { RunFiles } from '../../../../krond/src/launch/run-files.ts'
import type { VirtualProcess, VirtualProcesses, VirtualRequest } from './virtual-processes.ts'

/** One claim, and the run that holds it. */
interface VirtualClaim {
  readonly executionId: string
  /** Whether the shim is alive. */
  shimLives: boolean
  process: VirtualProcess | undefined
  end: readonly string[] | undefined
  /** The serves that watch the run. */
  readonly listeners: Set<Listener>
  why: string
}

/** A serve that asked something. */
export interface Asker {
  readonly isAlive: () => boolean
  readonly answer: (fields: readonly string[]) => void
}

interface Listener {
  readonly isAlive: () => boolean
  readonly tell: (fields: readonly string[]) => void
}

const listener = ({ isAlive, answer }: Asker, ref: string): Listener => ({
  isAlive,
  tell: fields => answer([fields[0]!, ref, ...fields.slice(1)]),
})

/**
 * The part of `kron-shim` that a daemon can see, in memory: claims, runs and the protocol of serve, message by message
 * (packages/shim/PROTOCOL.md). It outlives daemons; `VirtualServe` is one daemon's connection to it.
 */
export class VirtualShims implements RunFiles {
  readonly processes: VirtualProcesses
  /** Changes when the claims directory is lost. */
  claimsId = 'claims-1'
  private claims = new Map<string, VirtualClaim>()
  private readonly ends = new Map<string, string>()
  private directories = 1

  constructor(processes: VirtualProcesses) {
    this.processes = processes
  }

  /** The machine reboots: claims are in memory and lost, end records are on disk. */
  reboot(): void {
    this.claims = new Map()
    this.claimsId = `claims-${++this.directories}`
  }

  claimNames(): readonly string[] {
    return [...this.claims.keys()]
  }

  readClaim(name: string): Buffer | undefined {
    const claim = this.claims.get(name)
    if (claim === undefined) return undefined
    const bytes = Buffer.alloc(4_096)
    bytes.write(sealed(['kron-claim 1', `execution ${claim.executionId}`]), 0)
    if (claim.end !== undefined) bytes.write(sealed(claim.end), 2_048)
    return bytes
  }

  removeClaim(name: string): void {
    this.claims.delete(name)
  }

  readEnd(executionId: string): string | undefined {
    return this.ends.get(executionId)
  }

  removeEnd(executionId: string): void {
    this.ends.delete(executionId)
  }

  removeOutput(): void {}

  start(ref: string, name: string, spec: readonly string[], asker: Asker): void {
    const { answer } = asker
    if (this.claims.has(name)) return answer(['already', ref])
    const value = (key: string): string | undefined =>
      spec.find(field => field.startsWith(`${key}=`))?.slice(key.length + 1)
    const request = requestOf(spec)
    const claim: VirtualClaim = {
      executionId: request.executionId,
      shimLives: true,
      process: undefined,
      end: undefined,
      listeners: new Set(),
      why: 'exited',
    }
    this.claims.set(name, claim)
    const behaviour = this.processes.behave(request)
    if (behaviour === 'refuse' || this.processes.bootTime() * 1e6 > Number(value('last') ?? Infinity)) {
      this.claims.delete(name)
      this.processes.observer?.refused(request)
      return answer(['refused', ref, 'exec', '2', value('arg') ?? ''])
    }
    if (behaviour === 'loseBefore') {
      claim.shimLives = false
      return answer(['unknown', ref])
    }
    const process = this.processes.create(request)
    claim.process = process
    if (behaviour === 'lose') {
      claim.shimLives = false
      process.end({ exitCode: null, signal: null })
      return answer(['unknown', ref])
    }
    process.stubborn = behaviour.ignoresSignals ?? false
    process.watchers.push(() => this.ended(claim))
    const { clock } = this.processes
    if (behaviour.shimDiesAfter !== undefined)
      clock.setTimer(behaviour.shimDiesAfter, () => {
        claim.shimLives = false
      })
    const { lives, exitCode = 0 } = behaviour
    if (Number.isFinite(lives)) clock.setTimer(lives, () => process.end({ exitCode, signal: null }))
    const timeout = Number(value('timeout') ?? Number.POSITIVE_INFINITY)
    if (Number.isFinite(timeout)) clock.setTimer(timeout, () => this.timeOut(claim))
    claim.listeners.add(listener(asker, ref))
    answer(startedFields(ref, process))
  }

  follow(ref: string, name: string, asker: Asker): void {
    const { answer } = asker
    const claim = this.claims.get(name)
    if (claim === undefined) return answer(['gone', ref])
    if (claim.end !== undefined) return answer(['ended', ref, ...claim.end])
    if (claim.process === undefined || !claim.process.alive) return answer(['lost', ref])
    answer(startedFields(ref, claim.process))
    claim.listeners.add(listener(asker, ref))
  }

  endOf(executionId: string, why: string): void {
    for (const claim of this.claims.values())
      if (claim.executionId === executionId) void this.endRun(claim, why)
  }

  /** The shim keeps the time limit; without it nobody does. */
  private timeOut(claim: VirtualClaim): void {
    if (claim.shimLives) void this.endRun(claim, 'timeout')
  }

  private async endRun(claim: VirtualClaim, why: string): Promise<void> {
    const { process } = claim
    if (process === undefined || !process.alive) return
    if (claim.why === 'exited') claim.why = why
    await this.processes.kill(process)
  }

  /** The command has ended: a living shim writes the record, and a second copy of it if no serve lives. */
  private ended(claim: VirtualClaim): void {
    const process = claim.process!
    const listeners = [...claim.listeners].filter(each => each.isAlive())
    if (claim.shimLives) {
      claim.end = endLines(process, claim.why, this.processes.bootTime())
      if (listeners.length === 0) this.ends.set(claim.executionId, sealed(claim.end))
    } else process.isUnseen = true
    for (const { tell } of listeners) tell(claim.end === undefined ? ['lost'] : ['ended', ...claim.end])
  }
}

const startedFields = (ref: string, { pid, processStart, startedBootMs }: VirtualProcess): string[] => [
  'started',
  ref,
  String(pid),
  String(processStart),
  String(pid + 100_000),
  String(processStart),
  String(Math.floor(startedBootMs * 1e6)),
]

function endLines({ ending, startedBootMs }: VirtualProcess, why: string, nowMs: number): readonly string[] {
  const { exitCode, signal } = ending!
  return [
    signal === null ? `exit ${exitCode ?? 0}` : `signal ${constants.signals[signal as NodeJS.Signals]}`,
    `started ${Math.floor(startedBootMs * 1e6)}`,
    `ended ${Math.floor(nowMs * 1e6)}`,
    ...['user 0', 'system 0', 'memory 0', 'out 0', 'err 0', 'dropped 0', 'undelivered 0'],
    `why ${why}`,
    'left 0',
  ]
}

function sealed(lines: readonly string[]): string {
  const text = lines.map(line => `${line}\n`).join('')
  return `${text}crc ${crc32(text).toString(16).padStart(8, '0')}\n`
}

/** The start that a spec asks for. */
function requestOf(spec: readonly string[]): VirtualRequest {
  const field = (prefix: string): string =>
    spec.find(each => each.startsWith(prefix))?.slice(prefix.length) ?? ''
  const seconds = (text: string): number => Date.parse(text) / 1_000
  const words = spec.filter(each => each.startsWith('arg=')).map(each => each.slice('arg='.length))
  return {
    entry: { identity: field('env=KRON_IDENTITY='), name: field('job='), command: words.join(' ') },
    executionId: field('execution='),
    nominal: seconds(field('env=KRON_NOMINAL_TIME=')),
    chosen: seconds(field('env=KRON_CHOSEN_TIME=')),
  }
}

/** The payload of a frame with these fields. */
export const payloadOf = (fields: readonly string[]): Buffer => encodeFrame(fields).subarray(LENGTH_BYTES)
