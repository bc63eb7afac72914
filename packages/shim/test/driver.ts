/** Drives a real `kron-shim serve` over its frames, and reads the files it leaves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { type End, endOf, type Kept, readKept } from './records.ts'

/** The binary under test: the shipped one, or a build with sanitizers. */
export const binary =
  process.env.KRON_SHIM ??
  join(import.meta.dirname, `../bin/kron-shim-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`)

export const isRoot = process.getuid?.() === 0

/** A frame as text fields; `data` is the rest of an `output` frame. */
export interface Frame {
  kind: string
  fields: string[]
  data: Buffer
}

export function encode(fields: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(fields.flatMap(field => [Buffer.from(field as string), Buffer.alloc(1)]))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([length, body])
}

function decode(body: Buffer): Frame {
  const kind = body.subarray(0, body.indexOf(0)).toString()
  let rest = body.subarray(kind.length + 1)
  const fields: string[] = []
  const count = kind === 'output' ? 3 : Number.POSITIVE_INFINITY
  while (rest.length > 0 && fields.length < count) {
    const end = rest.indexOf(0)
    fields.push(rest.subarray(0, end).toString())
    rest = rest.subarray(end + 1)
  }
  return { kind, fields, data: rest }
}

/** A run spec as fields; later entries of the same key replace nothing, they are repeated. */
export type Spec = Record<string, string | number | string[]>

export function specFields(spec: Spec): string[] {
  const fields = ['kron-run/1']
  for (const [key, value] of Object.entries(spec))
    for (const one of Array.isArray(value) ? value : [value]) fields.push(`${key}=${one}`)
  return fields
}

/** How long a test waits for something that must come. */
const patienceMs = Number(process.env.KRON_SHIM_PATIENCE_MS ?? 60_000)

export const until = async <Value>(what: string, look: () => Value | undefined | false | null) => {
  const end = Date.now() + patienceMs
  for (;;) {
    const value = look()
    if (value) return value
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

/** The directories of one daemon; several serves may use them one after another. */
export class Place {
  readonly root = mkdtempSync(join(process.env.KRON_SHIM_TMP ?? tmpdir(), 'kron-shim-test-'))
  readonly claims = join(this.root, 'claims')
  readonly runs = join(this.root, 'runs')
  readonly lock = join(this.root, 'lock')
  readonly control = join(this.root, 'control.sock')
  #serial = 0

  constructor() {
    mkdirSync(this.claims, { mode: 0o700 })
    mkdirSync(this.runs, { mode: 0o700 })
  }

  /** A fresh execution id, also used as the name of a claim. */
  id(): string {
    this.#serial++
    return `e${process.pid}-${this.#serial}`
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  claimNames(): string[] {
    return readdirSync(this.claims)
  }
}

export interface ServeOptions {
  control?: boolean
  sync?: boolean
  wait?: number
  cgroup?: string
  env?: Record<string, string>
  command?: (argv: string[]) => string[]
}

const living = new Set<Serve>()
let takenBack = 0

/**
 * The body of a test with held starts. It is tried again if serve took one back: somebody has set the wall clock of this
 * machine meanwhile, for example another test.
 */
export const whileClockStands = (body: () => Promise<void>) => async (): Promise<void> => {
  for (let left = 3; ; left--) {
    const before = takenBack
    try {
      return await body()
    } catch (error) {
      if (left === 0 || takenBack === before) throw error
      await closeAll()
    }
  }
}

/** Ends every serve that a failed test left. */
export const closeAll = async (): Promise<void> => {
  for (const serve of living) await serve.close()
}

export class Serve {
  readonly frames: Frame[] = []
  readonly process: ChildProcess
  readonly place: Place
  readonly exited: Promise<{ code: number | null; signal: string | null }>
  stderr = ''
  #socket: Duplex
  #ref = 0
  #buffer = Buffer.alloc(0)

  constructor(place: Place, options: ServeOptions = {}) {
    this.place = place
    living.add(this)
    const lock = openSync(place.lock, 'a+', 0o600)
    const argv = [
      binary,
      'serve',
      place.claims,
      place.runs,
      options.control ? place.control : '-',
      options.sync ? '1' : '0',
      String(options.wait ?? 0),
      options.cgroup ?? '-',
    ]
    const [command, ...rest] = options.command ? options.command(argv) : argv
    this.process = spawn(command!, rest, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', lock],
      env: { ...sanitizerEnv(), ...options.env },
    })
    closeSync(lock)
    this.process.stderr?.on('data', data => {
      this.stderr += data
    })
    this.#socket = this.process.stdio[3] as Duplex
    this.#socket.on('data', data => this.#receive(data))
    this.#socket.on('error', () => {})
    this.exited = new Promise(resolve => {
      this.process.on('exit', (code, signal) => {
        living.delete(this)
        resolve({ code, signal })
      })
    })
  }

  /** Stops reading frames, as a stuck krond would. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  #receive(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data])
    while (this.#buffer.length >= 4) {
      const length = this.#buffer.readUInt32LE(0)
      if (this.#buffer.length < 4 + length) return
      const frame = decode(this.#buffer.subarray(4, 4 + length))
      if (frame.kind === 'refused' && frame.fields[1] === 'held') takenBack++
      this.frames.push(frame)
      this.#buffer = this.#buffer.subarray(4 + length)
    }
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  send(...fields: (string | Buffer)[]): void {
    this.write(encode(fields))
  }

  /** Starts a run; returns its ref. The claim has the execution's name unless one is given. */
  start(spec: Spec, claim?: string): Run {
    const ref = ++this.#ref
    const execution = String(spec.execution ?? this.place.id())
    const whole: Spec = { execution, job: 'test', ...spec }
    this.send('start', String(ref), claim ?? execution, ...specFields(whole))
    return new Run(this, ref, execution, claim ?? execution)
  }

  follow(claim: string, execution = claim): Run {
    const ref = ++this.#ref
    this.send('follow', String(ref), claim)
    return new Run(this, ref, execution, claim)
  }

  frame(kind: string): Promise<Frame> {
    return until(`frame ${kind}`, () => this.frames.find(frame => frame.kind === kind))
  }

  ready(): Promise<Frame> {
    return this.frame('hello')
  }

  /** Ends serve as krond's death does. */
  async close(): Promise<void> {
    this.#socket.destroy()
    await this.exited
  }
}

const answerKinds = ['started', 'refused', 'already', 'unknown', 'ended', 'lost', 'gone']

/** One `start` or `follow`, by its ref. */
export class Run {
  readonly serve: Serve
  readonly ref: number
  readonly execution: string
  readonly claim: string

  constructor(serve: Serve, ref: number, execution: string, claim: string) {
    this.serve = serve
    this.ref = ref
    this.execution = execution
    this.claim = claim
  }

  get answers(): Frame[] {
    return this.serve.frames.filter(
      frame => answerKinds.includes(frame.kind) && frame.fields[0] === String(this.ref),
    )
  }

  answer(...kinds: string[]): Promise<Frame> {
    return until(`${kinds.join(' or ')} of ref ${this.ref}, have ${this.answers.map(one => one.kind)}`, () =>
      this.answers.find(frame => kinds.includes(frame.kind)),
    )
  }

  async started(): Promise<{ pid: number; start: bigint; shim: number; shimStart: bigint; at: bigint }> {
    const frame = await this.answer('started', 'refused', 'already', 'unknown', 'gone', 'lost')
    if (frame.kind !== 'started') throw new Error(`expected started, found ${frame.kind} ${frame.fields}`)
    const [, pid, start, shim, shimStart, at] = frame.fields
    return { pid: +pid!, start: BigInt(start!), shim: +shim!, shimStart: BigInt(shimStart!), at: BigInt(at!) }
  }

  async refused(): Promise<{ stage: string; errno: number; detail: string }> {
    const frame = await this.answer('refused', 'started', 'already', 'unknown')
    if (frame.kind !== 'refused') throw new Error(`expected refused, found ${frame.kind} ${frame.fields}`)
    const [, stage, errno, detail] = frame.fields
    return { stage: stage!, errno: +errno!, detail: detail! }
  }

  async ended(): Promise<End> {
    const frame = await this.answer('ended', 'refused', 'lost', 'gone', 'unknown', 'already')
    if (frame.kind !== 'ended') throw new Error(`expected ended, found ${frame.kind} ${frame.fields}`)
    return endOf(frame.fields.slice(1))
  }

  end(why: string, how: string): void {
    this.serve.send('end', String(this.ref), why, how)
  }

  /** Output frames, joined. */
  log(stream: 'out' | 'err'): { text: string; dropped: number } {
    const frames = this.serve.frames.filter(
      frame => frame.kind === 'output' && frame.fields[0] === String(this.ref) && frame.fields[1] === stream,
    )
    return {
      text: Buffer.concat(frames.map(frame => frame.data)).toString(),
      dropped: frames.reduce((sum, frame) => sum + Number(frame.fields[2]), 0),
    }
  }

  kept(): Kept {
    return readKept(readFileSync(join(this.serve.place.runs, `${this.execution}.output`)))
  }
}

/** Field 22 of /proc/PID/stat and the state, or undefined if there is no such process. */
export function stat(
  pid: number,
): { state: string; parent: number; start: bigint; name: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const name = text.slice(text.indexOf('(') + 1, end)
    return { state: fields[0]!, parent: +fields[1]!, start: BigInt(fields[19]!), name }
  } catch {
    return undefined
  }
}

export const alive = (pid: number): boolean => {
  const found = stat(pid)
  return found !== undefined && found.state !== 'Z' && found.state !== 'X'
}

/** Sanitizers read their options from the environment, which serve otherwise gets empty. */
function sanitizerEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([key]) => /^(ASAN|UBSAN|LSAN)_OPTIONS$|^VALGRIND_/.test(key)),
  ) as Record<string, string>
}
