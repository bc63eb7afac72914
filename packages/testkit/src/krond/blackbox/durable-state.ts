import { applyRecord, readState, type State, type StateRecord } from '@kron/host'
import { nodeDisk, readJournal } from '@kron/runtime'
import { stateFileName } from '../../../../krond/src/store/state-store.ts'

/** The durable state of a job: its state file with the journal applied. */
export async function durableState(stateDir: string, identity: string): Promise<State | undefined> {
  const records: StateRecord[] = []
  await readJournal(nodeDisk, stateDir, bytes => {
    const record = JSON.parse(Buffer.from(bytes).toString()) as StateRecord
    if (record.Identity === identity) records.push(record)
  })
  const path = `${stateDir}/${stateFileName(identity)}`
  const bytes = await nodeDisk.read(path).catch(() => undefined)
  const document = bytes && readState(Buffer.from(bytes).toString(), identity, 0)
  if (document?.kind === 'corrupt') throw new Error(`${path} is not JSON`)
  const saved = document?.kind === 'state' ? document.state : undefined
  return records.reduce<State | undefined>((state, record) => applyRecord(state, record), saved)
}
