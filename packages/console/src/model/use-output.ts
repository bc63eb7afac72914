import { useEffect, useState } from 'preact/hooks'
import { type ApiError, get, headers, jobPath, reach, refusal, urlOf } from '../api/client.ts'
import { messagesIn } from '../api/event-stream.ts'
import type { OutputPart, OutputRecord } from '../api/records.ts'
import { appended } from './run-output.ts'

export interface Output {
  /** Undefined until krond has answered. */
  readonly parts: readonly OutputPart[] | undefined
  readonly problem: ApiError | undefined
}

const NOTHING: Output = { parts: undefined, problem: undefined }
const PAUSE_MS = 2_000

/** The output of a run; that of a running one grows as it is printed. */
export function useOutput(identity: string, runId: string, running: boolean): Output {
  const [output, setOutput] = useState<Output>(NOTHING)
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const path = jobPath(identity, `/runs/${encodeURIComponent(runId)}/output`)
    const show = (parts: readonly OutputPart[]): void => {
      if (!signal.aborted) setOutput({ parts, problem: undefined })
    }
    const work = running
      ? follow(path, show, signal)
      : get<OutputRecord>(path, {}, signal).then(({ parts }) => show(parts))
    work.catch((problem: ApiError) => !signal.aborted && setOutput(old => ({ ...old, problem })))
    return () => abort.abort()
  }, [identity, runId, running])
  return output
}

/** Until the run is over; a lost connection begins again at the kept beginning. */
async function follow(
  path: string,
  show: (parts: readonly OutputPart[]) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const response = await reach(urlOf(path, { follow: 'true' }), { headers: headers(), signal })
    if (!response.ok || response.body === null) throw await refusal(response)
    if (await readAll(response.body, show).catch(() => false)) return
    if (signal.aborted) return
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

/** Whether the stream told the end of the run. */
async function readAll(
  body: ReadableStream<Uint8Array>,
  show: (parts: readonly OutputPart[]) => void,
): Promise<boolean> {
  let parts: readonly OutputPart[] = []
  show(parts)
  for await (const messages of messagesIn(body)) {
    for (const { event, data } of messages)
      if (event === 'output') parts = appended(parts, JSON.parse(data) as OutputPart)
    show(parts)
    if (messages.some(({ event }) => event === 'end')) return true
  }
  return false
}
