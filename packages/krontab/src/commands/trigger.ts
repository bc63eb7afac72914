import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Given } from '@kron/cli'
import type { JobDetail, OutcomePage, OutcomeRecord, OutputRecord, TriggerResult } from '@kron/host/api'
import { askApi, jobPath } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson } from '../print.ts'
import type { TRIGGER } from '../program/act.ts'
import { OK } from '../refusal.ts'
import { exitStatus } from '../run/exit-status.ts'

const LOOK_EVERY_MS = 300
/** A run that must be replaced first may use its whole grace period. */
const PATIENCE_MS = 120_000

export async function run(
  host: Host,
  options: Given<typeof TRIGGER.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const { identity } = await askApi<JobDetail>(host, options, { method: 'GET', path: jobPath(job) })
  const started = await askApi<TriggerResult>(
    host,
    options,
    // The id ensures that a repeated request runs once.
    { method: 'POST', path: jobPath(identity, '/trigger'), body: { requestId: randomUUID() } },
    PATIENCE_MS,
  )
  if (!options.wait) {
    if (options.format === 'json') printJson(host, { identity, ...started })
    else host.out(`started ${identity}, pid ${started.pid}, run ${started.runId}\n`)
    return OK
  }
  const outcome = await outcomeOf(host, options, identity, started.runId)
  if (options.format === 'json') printJson(host, outcome)
  return exitStatus({ exitCode: outcome.exitCode, signal: outcome.signal })
}

/** Shows the output during the run, then prints how it ended. */
async function outcomeOf(
  host: Host,
  options: Given<typeof TRIGGER.options>,
  identity: string,
  runId: string,
): Promise<OutcomeRecord> {
  const get = <T>(path: string): Promise<T> => askApi<T>(host, options, { method: 'GET', path })
  let seen = 0
  for (;;) {
    const output = await get<OutputRecord>(jobPath(identity, `/runs/${runId}/output?after=${seen}`))
    if (options.format !== 'json')
      for (const part of output.parts) if (part.stream !== 'gap') host.data(part.text)
    seen = output.nextAfter
    if (seen < output.totalBytes) continue
    if (!output.running) {
      const history = await get<OutcomePage>(`/api/v1/history?job=${encodeURIComponent(identity)}`)
      const outcome = history.outcomes.find(each => each.runId === runId)
      if (outcome !== undefined) return outcome
    }
    await pause(LOOK_EVERY_MS)
  }
}
