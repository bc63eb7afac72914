import { sha256 } from '@kron/core'
import { applyRecord } from './advance.ts'
import type { State } from './state.ts'
import { readState } from './state-document.ts'
import type { StateRecord } from './state-event.ts'

export interface Unreadable {
  readonly path: string
  readonly why: string
}

export interface States {
  readonly byIdentity: ReadonlyMap<string, State>
  readonly unreadable: readonly Unreadable[]
}

/** A state directory, or a file in it, cannot be read; `cause` is the system's error about the directory, if any. */
export class StateReadError extends Error {
  override readonly name = 'StateReadError'
}

export const stateFileName = (identity: string): string => `${sha256(identity)}.json`

/** The state of one job: its file plus the newer records of the daemon's journal; undefined if there is none. */
export async function readStateOf(
  directory: string,
  identity: string,
  now: number,
): Promise<State | undefined> {
  const { byIdentity, unreadable } = await readSome(directory, now, name => name === stateFileName(identity))
  const [bad] = unreadable
  if (bad !== undefined) throw new StateReadError(`${bad.path}: ${bad.why}`)
  return byIdentity.get(identity)
}

/** Every state in a directory. */
export const readStates = (directory: string, now: number): Promise<States> =>
  readSome(directory, now, name => /^[0-9a-f]{64}\.json$/.test(name))

/** The jobs with records in the daemon's journal. */
export async function readJournalled(directory: string): Promise<ReadonlySet<string>> {
  const { nodeDisk, readJournal } = await import('@kron/runtime')
  const identities = new Set<string>()
  await readJournal(nodeDisk, directory, bytes => {
    identities.add((JSON.parse(Buffer.from(bytes).toString()) as StateRecord).Identity)
  })
  return identities
}

async function readSome(directory: string, now: number, wanted: (name: string) => boolean): Promise<States> {
  const { nodeDisk, readJournal } = await import('@kron/runtime')
  const journalled = new Map<string, StateRecord[]>()
  const states = new Map<string, State>()
  const unreadable: Unreadable[] = []
  try {
    // The journal is read first: records that are cut from it meanwhile are already in the files.
    await readJournal(nodeDisk, directory, bytes => {
      const record = JSON.parse(Buffer.from(bytes).toString()) as StateRecord
      if (!wanted(stateFileName(record.Identity))) return
      const records = journalled.get(record.Identity)
      if (records === undefined) journalled.set(record.Identity, [record])
      else records.push(record)
    })
    for (const name of (await nodeDisk.list(directory)).filter(wanted).sort()) {
      const path = `${directory}/${name}`
      const read = stateIn(Buffer.from(await nodeDisk.read(path)).toString(), now)
      if (typeof read === 'string') unreadable.push({ path, why: read })
      else states.set(read.Identity, read)
    }
  } catch (error) {
    throw cannotRead(directory, error)
  }
  for (const [identity, records] of journalled) {
    states.set(identity, records.reduce<State | undefined>(apply, states.get(identity))!)
  }
  return { byIdentity: states, unreadable }
}

const apply = (state: State | undefined, record: StateRecord): State => applyRecord(state, record)

/** The state in a file's text, or the reason why there is none. */
function stateIn(text: string, now: number): State | string {
  try {
    const { Identity: identity } = JSON.parse(text) as { Identity?: unknown }
    const document = readState(text, String(identity), now)
    return document.kind === 'state' ? document.state : 'it is not JSON'
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
  }
}

function cannotRead(directory: string, error: unknown): StateReadError {
  const cause = (error as { cause?: NodeJS.ErrnoException }).cause ?? (error as NodeJS.ErrnoException)
  return new StateReadError(`cannot read the state directory ${directory}: ${(error as Error).message}`, {
    cause,
  })
}
