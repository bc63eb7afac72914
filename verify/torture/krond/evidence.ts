import { createHash } from 'node:crypto'
import { applyRecord, readState, type State, type StateRecord } from '@kron/host'
import { nodeDisk, readJournal } from '@kron/runtime'

export const stateFileName = (identity: string): string =>
  `${createHash('sha256').update(identity).digest('hex')}.json`

/** The durable state of each job while no daemon runs: its state file with the journal on top. */
export async function durableStates(
  directory: string,
  identities: Iterable<string>,
  history: number,
): Promise<Map<string, State | Error | undefined>> {
  const journalled = new Map<string, StateRecord[]>()
  await readJournal(nodeDisk, directory, bytes => {
    const record = JSON.parse(Buffer.from(bytes).toString()) as StateRecord
    const records = journalled.get(record.Identity)
    if (records === undefined) journalled.set(record.Identity, [record])
    else records.push(record)
  })
  const states = new Map<string, State | Error | undefined>()
  for (const identity of identities) {
    const records = journalled.get(identity) ?? []
    states.set(identity, await durableState(directory, identity, records, history))
  }
  return states
}

async function durableState(
  directory: string,
  identity: string,
  records: readonly StateRecord[],
  history: number,
): Promise<State | Error | undefined> {
  const path = `${directory}/${stateFileName(identity)}`
  try {
    const bytes = await nodeDisk.read(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    const document = bytes && readState(Buffer.from(bytes).toString(), identity, 0)
    if (document?.kind === 'corrupt') return new Error(`${path} is not JSON`)
    const saved = document?.kind === 'state' ? document.state : undefined
    return records.reduce<State | undefined>((state, record) => applyRecord(state, record, history), saved)
  } catch (error) {
    return error as Error
  }
}
