import type { Given } from '@kron/cli'
import {
  type ActiveState,
  activeManualOf,
  activeOf,
  nameOf,
  OutputText,
  outputPieces,
  readKeptOutput,
  readProcessStat,
  type State,
  shownOutcomesOf,
} from '@kron/host'
import type { JobDetail, OutcomePage, OutcomeRecord, OutputRecord, RunningPage } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { NOT_FOUND, Refusal } from '../context/refusal.ts'
import { loadEntries } from '../job-files/load.ts'
import type { HISTORY } from '../program/history-commands.ts'
import { askApi, type DaemonOptions, jobPath, NoDaemon } from './ask.ts'
import { existingStateDirectory, readStateOf, readStates } from './state-directory.ts'

export type HistoryOptions = Pick<Given<typeof HISTORY.options>, 'file' | 'as' | 'state-dir' | 'runtime-dir'>

export interface ActiveRun {
  readonly runId: string
  /** Null for a manual run. */
  readonly periodId: string | null
  readonly chosenTime: string | null
  /** Null if it is about to start. */
  readonly startedAt: string | null
  readonly pid: number | null
}

/** The known runs of a job: from the state directory, or from the daemon for users who may not read it. */
export interface JobHistory {
  readonly identity: string
  readonly running: readonly ActiveRun[]
  /** Oldest first. */
  readonly outcomes: readonly OutcomeRecord[]
  /** The output of a run after its first `seenBytes`. */
  output(runId: string, seenBytes: number): Promise<OutputRecord>
}

export async function jobHistoryOf(
  context: CommandContext,
  options: HistoryOptions,
  job: string,
): Promise<JobHistory> {
  try {
    const directory = existingStateDirectory(context, options)
    return historyInState(await findState(context, directory, job, options), directory)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return historyOfDaemon(context, options, job).catch((answer: unknown) => {
      throw answer instanceof NoDaemon ? error : answer
    })
  }
}

function historyInState(state: State, directory: string): JobHistory {
  const { Identity: identity } = state
  const active = activeRunsOf(state)
  const isRunning = (runId: string): boolean => {
    const run = active.find(each => each.ExecutionID === runId)
    // The state file may lag behind, so the process itself is checked.
    return run !== undefined && (run.PID === 0 || readProcessStat(run.PID)?.startTime === run.ProcessStart)
  }
  return {
    identity,
    running: active.map(activeRun),
    outcomes: shownOutcomesOf(state),
    output: async (runId, seenBytes) => {
      const running = isRunning(runId)
      const kept = readKeptOutput(`${directory}/runs/${runId}.output`)
      const { pieces, end } = kept === undefined ? { pieces: [], end: 0 } : outputPieces(kept, seenBytes)
      const parts = new OutputText().parts(pieces)
      return { identity, runId, running, totalBytes: kept?.totalBytes ?? 0, parts, nextAfter: end }
    },
  }
}

/** The executions that have not ended according to the state: of periods and manual ones. */
export const activeRunsOf = (state: State): readonly ActiveState[] => [
  ...activeOf(state),
  ...activeManualOf(state),
]

export const activeRun = (run: ActiveState): ActiveRun => ({
  runId: run.ExecutionID,
  periodId: run.PeriodID || null,
  chosenTime: run.PeriodID === '' ? null : run.ChosenTime || null,
  startedAt: run.StartedAt || null,
  pid: run.PID === 0 ? null : run.PID,
})

const MOST_OUTCOMES = 2_000

async function historyOfDaemon(
  context: CommandContext,
  options: DaemonOptions,
  job: string,
): Promise<JobHistory> {
  const get = <T>(path: string): Promise<T> => askApi<T>(context, options, path)
  const { identity } = await get<JobDetail>(jobPath(job))
  const named = `job=${encodeURIComponent(identity)}`
  const { outcomes } = await get<OutcomePage>(`/api/v1/history?${named}&limit=${MOST_OUTCOMES}`)
  const { running } = await get<RunningPage>(`/api/v1/running?${named}`)
  return {
    identity,
    running: running.map(({ executionId, ...run }) => ({ runId: executionId, ...run })),
    outcomes: outcomes.toReversed(),
    output: (runId, seenBytes) =>
      get<OutputRecord>(jobPath(identity, `/runs/${encodeURIComponent(runId)}/output?after=${seenBytes}`)),
  }
}

/** Finds a state by identity, by the name of a job in the files, or by the name of a removed job. */
async function findState(
  context: CommandContext,
  directory: string,
  job: string,
  options: HistoryOptions,
): Promise<State> {
  const identities = job.includes(':') ? [job] : identitiesIn(context, job, options)
  for (const identity of identities) {
    const state = await readStateOf(directory, identity, context.now())
    if (state !== undefined) return state
  }
  const { byIdentity } = await readStates(directory, context.now())
  const named = [...byIdentity.values()].filter(each => nameOf(each.Identity) === job)
  if (named.length === 1) return named[0]!
  if (named.length > 1) {
    const choices = named.map(each => `\n  ${each.Identity}`).join('')
    throw new Refusal(NOT_FOUND, `several jobs were called ${job}`, `name one of them in full:${choices}`)
  }
  throw new Refusal(
    NOT_FOUND,
    `nothing is known of a job ${JSON.stringify(job)}`,
    'krontab status shows the jobs with a state',
  )
}

function identitiesIn(context: CommandContext, job: string, options: HistoryOptions): string[] {
  try {
    return loadEntries(context, options)
      .filter(entry => entry.name === job)
      .map(entry => entry.identity)
  } catch (error) {
    // The history can be shown even if the files are broken or gone.
    if (error instanceof Refusal && options.file.length === 0) return []
    throw error
  }
}
