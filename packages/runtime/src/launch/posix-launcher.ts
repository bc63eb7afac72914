import type { Exit, ProcessTable } from '../process/process-table.ts'
import { readProcessStat } from '../process/proc-stat.ts'
import { explainRefusal, findExecutable } from './executable.ts'
import { LaunchError, type Launched, type Launcher, type LaunchSpec, refusal } from './launcher.ts'
import { type OpenOutput, openOutput } from './output.ts'
import { leavesDirectoryToShell, type Preparation, prepare } from './preparation.ts'
import { keepExitStatuses, reap } from './reaper.ts'
import { spawn } from './spawn.ts'
import { Takeover } from './takeover.ts'

/** Starts processes from the thread it is used on, which has to be the main one. */
export function posixLauncher(processes: Pick<ProcessTable, 'bootId'>): Launcher {
  keepExitStatuses()
  return { launch: spec => launch(spec, processes.bootId()) }
}

export async function launch(spec: LaunchSpec, bootId: string): Promise<Launched> {
  const command = commandWords(spec)
  const preparation = prepare(command, environmentOf(spec), spec)
  const pid = await withOutputs(spec, async (stdout, stderr) => {
    const plan = {
      path: preparation.words[0]!,
      // The command sees the word it was called by, not where it was found.
      arguments: preparation.helpers.length > 0 ? preparation.words : givenWords(spec),
      environment: preparation.environment,
      stdin: 'null',
      stdout: stdout.stream,
      stderr: stderr.stream,
      ...(spec.cwd === undefined || leavesDirectoryToShell(spec) ? {} : { cwd: spec.cwd }),
    } as const
    const spawned = await spawn(plan)
    if ('pid' in spawned) return spawned.pid
    throw refusal(`cannot run ${plan.path}`, spawned.error, explainRefusal(plan.path, spec.cwd, spawned.error))
  })
  const startTime = readProcessStat(pid)?.startTime ?? 0
  const launched = { process: { pid, startTime, bootId } }
  if (preparation.helpers.length === 0) return { ...launched, exited: reap(pid) }
  const takeover = new Takeover(pid, preparation, command.length)
  const exited = reap(pid, () => takeover.look())
  if ((await takeover.verdict()) === 'refused') throw refusedByHelper(preparation, command, await exited)
  return { ...launched, exited }
}

const givenWords = ({ command }: LaunchSpec): readonly string[] =>
  'shell' in command ? ['/bin/sh', '-c', command.shell] : command

/** The command with its first word found. */
function commandWords(spec: LaunchSpec): string[] {
  const [word, ...rest] = givenWords(spec)
  for (const text of [word ?? '', ...rest, spec.cwd ?? '']) {
    if (text.includes('\0')) throw refusal('a word of the command holds a NUL', 'EINVAL')
  }
  return [findExecutable(word ?? '', spec.environment.PATH, spec.cwd), ...rest]
}

function environmentOf({ environment }: LaunchSpec): string[] {
  const entries: string[] = []
  for (const name in environment) {
    const entry = `${name}=${environment[name]}`
    if (name === '' || name.includes('=') || entry.includes('\0')) {
      throw refusal(`"${name}" cannot be in an environment`, 'EINVAL')
    }
    entries.push(entry)
  }
  return entries
}

async function withOutputs(
  spec: LaunchSpec,
  use: (stdout: OpenOutput, stderr: OpenOutput) => Promise<number>,
): Promise<number> {
  const distrustful = spec.user !== undefined
  const stdout = await openOutput(spec.stdout, 1, distrustful)
  try {
    const stderr = await openOutput(spec.stderr, 2, distrustful)
    try {
      return await use(stdout, stderr)
    } finally {
      stderr.close()
    }
  } finally {
    stdout.close()
  }
}

/** Exit codes that shells and setpriv share. */
function refusedByHelper(preparation: Preparation, command: readonly string[], exit: Exit): LaunchError {
  const by = preparation.helpers.join(' and ')
  const code = exit.kind === 'code' ? exit.code : 0
  return new LaunchError(
    `${by} could not start ${command[0]} (${exit.kind === 'code' ? `exit code ${code}` : exit.kind})`,
    {
      code: code === 127 ? 'ENOENT' : code === 126 ? 'EACCES' : 'EPERM',
      created: 'no',
      hint: `what ${by} said is in the job's stderr: the user, the limits or the program were refused`,
    },
  )
}
