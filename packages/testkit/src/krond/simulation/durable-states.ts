import assert from 'node:assert/strict'
import { applyRecord, readState, type State, type StateRecord } from '@kron/host'
import { type Disk, readJournal } from '@kron/runtime'
import { stateFileName } from '../../../../krond/src/store/state-store.ts'
import { STATE_DIR } from './places.ts'

/** The durable states of jobs: their state files with the journal applied. */
export async function durableStates(
  disk: Disk,
  identities: readonly string[],
): Promise<(State | undefined)[]> {
  const records = new Map<string, StateRecord[]>(identities.map(identity => [identity, []]))
  await readJournal(disk, STATE_DIR, bytes => {
    const record = JSON.parse(Buffer.from(bytes).toString()) as StateRecord
    records.get(record.Identity)?.push(record)
  })
  const states: (State | undefined)[] = []
  for (const [identity, journalled] of records) {
    const saved = await savedState(disk, identity)
    states.push(journalled.reduce<State | undefined>((state, record) => applyRecord(state, record), saved))
  }
  return states
}

async function savedState(disk: Disk, identity: string): Promise<State | undefined> {
  const path = statePath(identity)
  const bytes = await disk.read(path).catch(() => undefined)
  if (bytes === undefined) return undefined
  const document = readState(Buffer.from(bytes).toString(), identity, 0)
  assert.equal(document.kind, 'state', `${path} is not JSON`)
  return document.kind === 'state' ? document.state : undefined
}

export const statePath = (identity: string): string => `${STATE_DIR}/${stateFileName(identity)}`
