import assert from 'node:assert/strict'
import { applyRecord, readState, type State, type StateRecord } from '@kron/host'
import { type Disk, readJournal } from '@kron/runtime'
import { stateFileName } from '../../../../krond/src/store/state-store.ts'
import { STATE_DIR } from './places.ts'

/** The states that were read from files before, by path: a file that has not changed is not parsed again. */
export type KnownStates = Map<string, { readonly version: string; readonly state: State }>

/** The durable states of jobs: their state files with the journal applied. `onRecord` sees every record of the journal. */
export async function durableStates(
  disk: Disk,
  identities: readonly string[],
  known?: KnownStates,
  onRecord?: (record: StateRecord) => void,
): Promise<(State | undefined)[]> {
  const records = new Map<string, StateRecord[]>(identities.map(identity => [identity, []]))
  await readJournal(disk, STATE_DIR, bytes => {
    const record = JSON.parse(textOf(bytes)) as StateRecord
    records.get(record.Identity)?.push(record)
    onRecord?.(record)
  })
  const states: (State | undefined)[] = []
  for (const [identity, journalled] of records) {
    const saved = await savedState(disk, identity, known)
    states.push(journalled.reduce<State | undefined>((state, record) => applyRecord(state, record), saved))
  }
  return states
}

async function savedState(
  disk: Disk,
  identity: string,
  known: KnownStates | undefined,
): Promise<State | undefined> {
  const path = statePath(identity)
  const stat = await disk.stat(path).catch(() => undefined)
  if (stat === undefined) return undefined
  const { version } = stat
  const before = known?.get(path)
  if (before !== undefined && before.version === version) return before.state
  const document = readState(textOf(await disk.read(path)), identity, 0)
  assert.equal(document.kind, 'state', `${path} is not JSON`)
  if (document.kind !== 'state') return undefined
  if (version !== undefined) known?.set(path, { version, state: document.state })
  return document.state
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()

export const statePath = (identity: string): string => `${STATE_DIR}/${stateFileName(identity)}`
