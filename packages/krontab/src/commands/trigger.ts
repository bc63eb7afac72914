import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Given } from '@kron/cli'
import type { JobDetail, OutcomePage, OutcomeRecord, OutputRecord, TriggerResult } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { exitStatus } from '../context/exit-status.ts'
import { printJson } from '../context/print.ts'
import { OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { askApi, jobPath } from '../daemon/ask.ts'
import type { TRIGGER } from '../program/daemon-commands.ts'

const LOOK_EVERY_MS = 300
/** A run that must be replaced first may use its whole grace period. */
const PATIENCE_MS = 120_000

export const run: Run<typeof TRIGGER> = async (context, options, [job = '']) => {
  const { identity } = await askApi<JobDetail>(context, options, jobPath(job))
  const started = await askApi<TriggerResult>(
    context,
    options,
    jobPath(identity, '/trigger'),
    // The id ensures that a repeated request runs once.
    { requestId: randomUUID() },
    PATIENCE_MS,
  )
  if (!options.wait) {
    if (options.format === 'json') printJson(context, { identity, ...started })
    else context.out(`started ${identity}, pid ${started.pid}, run ${started.runId}\n`)
    return OK
  }
  const outcome = await outcomeOf(context, options, identity, started.runId)
  if (options.format === 'json') printJson(context, outcome)
  return exitStatus({ exitCode: outcome.exitCode, signal: outcome.signal })
}

/** Shows the output during the run, then prints how it ended. */
async function outcomeOf(
  context: CommandContext,
  options: Given<typeof TRIGGER.options>,
  identity: string,
  runId: string,
): Promise<OutcomeRecord> {
  const get = <T>(path: string): Promise<T> => askApi<T>(context, options, path)
  let seen = 0
  for (;;) {
    const output = await get<OutputRecord>(jobPath(identity, `/runs/${runId}/output?after=${seen}`))
    if (options.format !== 'json')
      for (const part of output.parts) if (part.stream !== 'gap') context.data(part.text)
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
