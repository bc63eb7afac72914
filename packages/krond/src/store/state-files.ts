import { hash } from 'node:crypto'
import { IncompatibleStateError, PersistenceError } from '@kron/core'
import { printState, readState, type State, type StateDocument } from '@kron/host'
import {
  type Clock,
  type Disk,
  type FileStat,
  hasCode,
  writeAllAtomically,
  writeAtomically,
} from '@kron/runtime'
import { printLine, printPlace, printSummary, type Rest, StateSummary } from './state-summary.ts'

/** The last name that was asked for: a file is named several times in a row. */
let last: { readonly identity: string; readonly name: string } | undefined

export function stateFileName(identity: string): string {
  if (last?.identity !== identity) last = { identity, name: `${hash('sha256', identity, 'hex')}.json` }
  return last.name
}

const SUMMARY = 'summary'
const NONE: ReadonlySet<string> = new Set()
const REMEDY =
  'restore it from a backup, or use the krond that wrote it; moved away, the job begins anew and may run an open period again'

/** The facts about a state file that are known without reading it. */
export interface Found {
  readonly modifiedAt: number
  /** The line of the summary about the file, if the file has not changed since. */
  readonly rest: Rest | undefined
}

/** The state files of a directory that this process alone writes. */
export class StateFiles {
  readonly #disk: Disk
  readonly #directory: string
  readonly #clock: Clock
  readonly #onCorrupt: (identity: string, aside: string) => void
  /** The names in the directory, if it was listed just before. */
  #names: readonly string[] | undefined
  #present: ReadonlySet<string> | undefined
  #writesBegun = 0
  #writesEnded = 0
  /** By path, the new path of a corrupt file. */
  readonly #aside = new Map<string, string>()
  #summary = new StateSummary()

  constructor(
    disk: Disk,
    directory: string,
    clock: Clock,
    /** Called if a file turns out to be corrupt that was sound when its job was loaded. */
    onCorrupt: (identity: string, aside: string) => void = () => {},
  ) {
    this.#onCorrupt = onCorrupt
    this.#disk = disk
    this.#directory = directory
    this.#clock = clock
  }

  /** Lists the directory once for many calls of `look`. Returns every name in it. */
  async lookAround(): Promise<readonly string[]> {
    const disk = this.#disk
    const directory = this.#directory
    const writesEnded = this.#writesEnded
    const names = await reading(directory, () => disk.list(directory))
    // The list may lack a file that was written meanwhile.
    if (writesEnded !== this.#writesBegun) return names
    this.#present = names.some(name => name.endsWith('.json')) ? undefined : NONE
    this.#names = names
    return names
  }

  /** The facts about the job's file, if there is one; an unsafe file is refused. */
  async look(identity: string): Promise<Found | undefined> {
    if (this.#present === NONE) return undefined
    const name = stateFileName(identity)
    if (!this.#mayBeThere(name)) return undefined
    const path = `${this.#directory}/${name}`
    let stat: FileStat
    try {
      stat = await this.#disk.stat(path)
    } catch (cause) {
      if (hasCode(cause, 'ENOENT')) return undefined
      throw unreadable(path, cause, identity)
    }
    if (stat.kind !== 'file')
      throw unsafe(identity, `${path} is not a regular file`, 'move it away: its place is for a state file')
    if ((stat.mode & 0o077) !== 0) {
      const mode = stat.mode.toString(8).padStart(4, '0')
      throw unsafe(identity, `${path} may be changed or read by others (mode ${mode})`, `chmod 0600 ${path}`)
    }
    return { modifiedAt: stat.modifiedAt, rest: this.#summary.find(name, stat.version) }
  }

  /** False if there is a summary that cannot be used. */
  async readSummary(names: readonly string[]): Promise<boolean> {
    if (!names.includes(SUMMARY)) return true
    // An unreadable summary counts as none.
    const bytes = await this.#disk.read(`${this.#directory}/${SUMMARY}`).catch(() => undefined)
    this.#summary = new StateSummary(bytes)
    return this.#summary.isUsable
  }

  /** Forgets the facts about the files, because they become stale. */
  loaded(): void {
    this.#forgetNames()
    this.#summary = new StateSummary()
  }

  /** The summary line of a file with this content; a placeholder if the file is gone or was changed too recently. */
  async summaryLine(identity: string, rest: Rest): Promise<string> {
    const name = stateFileName(identity)
    const stat = await ifThere(this.#disk.stat(`${this.#directory}/${name}`))
    return stat?.version === undefined
      ? printPlace(name)
      : printLine({ name, version: stat.version, ...rest })
  }

  /** The placeholder line of a file without a summary. */
  summaryPlace(identity: string): string {
    return printPlace(stateFileName(identity))
  }

  writeSummary(lines: readonly string[]): Promise<void> {
    return writeAtomically(this.#disk, `${this.#directory}/${SUMMARY}`, printSummary(lines.join('')))
  }

  async read(identity: string): Promise<StateDocument | undefined> {
    const path = this.#path(identity)
    const bytes = await reading(path, () => ifThere(this.#disk.read(path)), identity)
    if (bytes === undefined) return undefined
    const text = Buffer.from(bytes).toString()
    return this.usable(identity, () => readState(text, identity, Math.floor(this.#clock.now() / 1_000)))
  }

  /** An error about an unusable state must name the file and the remedy. */
  usable<T>(identity: string, use: () => T): T {
    try {
      return use()
    } catch (error) {
      if (!(error instanceof IncompatibleStateError)) throw error
      throw unsafe(identity, `${this.#path(identity)} cannot be used: ${error.message}`, REMEDY)
    }
  }

  /** The current content of the file; a deleted or damaged file counts as none. */
  async saved(identity: string): Promise<State | undefined> {
    const document = await this.read(identity)
    if (document?.kind === 'state') return document.state
    if (document !== undefined) await this.#setAside(identity)
    return undefined
  }

  async write(states: readonly State[]): Promise<void> {
    // A job that is loaded after this may have a file that did not exist when the directory was listed.
    this.#forgetNames()
    const files = states.map(state => ({
      path: this.#path(state.Identity),
      bytes: printState(state),
    }))
    this.#writesBegun++
    await writeAllAtomically(this.#disk, files)
    this.#writesEnded++
  }

  /** Every state in the directory that can be read. */
  async all(): Promise<readonly State[]> {
    const disk = this.#disk
    const directory = this.#directory
    const states: State[] = []
    for (const name of (await reading(directory, () => disk.list(directory))).sort()) {
      if (!/^[0-9a-f]{64}\.json$/.test(name)) continue
      const path = `${directory}/${name}`
      const bytes = await reading(path, () => ifThere(disk.read(path)))
      const state = bytes === undefined ? undefined : anyState(Buffer.from(bytes).toString())
      if (state !== undefined && stateFileName(state.Identity) === name) states.push(state)
    }
    return states
  }

  async remove(identities: readonly string[]): Promise<void> {
    this.#forgetNames()
    for (const each of identities)
      await reading(this.#path(each), () => ifThere(this.#disk.remove(this.#path(each))))
    if (identities.length > 0) await reading(this.#directory, () => this.#disk.syncDirectory(this.#directory))
  }

  /** The path to which a corrupt file is moved before a new one takes its place. */
  placeAside(identity: string): string {
    const path = this.#path(identity)
    const aside = this.#aside.get(path) ?? `${path}.corrupt.${this.#clock.now()}`
    this.#aside.set(path, aside)
    return aside
  }

  /** Moves a corrupt file out of the way, so that a person can examine it. */
  async #setAside(identity: string): Promise<void> {
    const path = this.#path(identity)
    const isKnown = this.#aside.has(path)
    const aside = this.placeAside(identity)
    this.#aside.delete(path)
    await reading(path, () => this.#disk.rename(path, aside))
    if (!isKnown) this.#onCorrupt(identity, aside)
  }

  #forgetNames(): void {
    this.#names = undefined
    this.#present = undefined
  }

  #mayBeThere(name: string): boolean {
    if (this.#names === undefined || this.#summary.has(name)) return true
    this.#present ??= new Set(this.#names)
    return this.#present.has(name)
  }

  #path(identity: string): string {
    return `${this.#directory}/${stateFileName(identity)}`
  }
}

/** The state in a text, whichever job it belongs to; undefined if it cannot be used. */
function anyState(text: string): State | undefined {
  try {
    const { Identity: identity } = JSON.parse(text) as { Identity?: unknown }
    const document = readState(text, String(identity), 0)
    return document.kind === 'state' ? document.state : undefined
  } catch {
    return undefined
  }
}

async function reading<T>(path: string, act: () => Promise<T>, identity?: string): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw unreadable(path, cause, identity)
  }
}

const unreadable = (path: string, cause: unknown, identity?: string): PersistenceError =>
  new PersistenceError(`cannot read ${path}: ${(cause as Error).message}`, {
    component: 'state',
    operation: 'read state',
    ...(identity === undefined ? {} : { identity }),
    hint: 'see to its owner and mode, and to the health of the disk',
    cause,
  })

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const unsafe = (identity: string, message: string, hint: string): IncompatibleStateError =>
  new IncompatibleStateError(message, {
    component: 'state',
    operation: 'read state',
    identity,
    hint,
  })
