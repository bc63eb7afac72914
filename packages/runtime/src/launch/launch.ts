import { readProcessStat } from '../process/proc-stat.ts'
import type { Exit } from '../process/process-table.ts'
import { exists, explainRefusal, findExecutable } from './executable.ts'
import type { LaunchSpec } from './launcher.ts'
import { type OpenOutput, openOutput } from './output.ts'
import { leavesDirectoryToShell, type Preparation, prepare } from './preparation.ts'
import { reap } from './reaper.ts'
import { Refusal } from './refusal.ts'
import { afterOtherStarts, spawn } from './spawn.ts'
import { Takeover } from './takeover.ts'

export interface Started {
  readonly pid: number
  /** In clock ticks since boot. */
  readonly startTime: number
  /** When there was a process, by `performance.now()`. */
  readonly created: number
  readonly exited: Promise<Exit>
}

/** Starts a process, or throws a `Refusal`: then the command has not run and never will. */
export async function launch(spec: LaunchSpec): Promise<Started> {
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
    throw new Refusal(
      `cannot run ${plan.path}`,
      spawned.error,
      explainRefusal(plan.path, spec.cwd, spawned.error),
    )
  })
  const created = performance.now()
  await afterOtherStarts()
  const startTime = readProcessStat(pid)?.startTime ?? 0
  if (preparation.helpers.length === 0) return { pid, startTime, created, exited: reap(pid) }
  const takeover = new Takeover(pid, preparation, command.length)
  const exited = reap(pid, () => takeover.look())
  if ((await takeover.verdict()) === 'refused') {
    throw refusedByHelper(preparation, command[0]!, spec, await exited)
  }
  return { pid, startTime, created, exited }
}

const givenWords = ({ command }: LaunchSpec): readonly string[] =>
  'shell' in command ? ['/bin/sh', '-c', command.shell] : command

/** The command with its first word found. */
function commandWords(spec: LaunchSpec): string[] {
  const [word, ...rest] = givenWords(spec)
  for (const text of [word ?? '', ...rest, spec.cwd ?? '']) {
    if (text.includes('\0')) throw new Refusal('a word of the command holds a NUL', 'EINVAL')
  }
  return [findExecutable(word ?? '', spec.environment.PATH, spec.cwd), ...rest]
}

function environmentOf({ environment }: LaunchSpec): string[] {
  const entries: string[] = []
  for (const name in environment) {
    const entry = `${name}=${environment[name]}`
    if (name === '' || name.includes('=') || entry.includes('\0')) {
      throw new Refusal(`"${name}" cannot be in an environment`, 'EINVAL')
    }
    entries.push(entry)
  }
  return entries
}

async function withOutputs(
  spec: LaunchSpec,
  use: (stdout: OpenOutput, stderr: OpenOutput) => Promise<number>,
): Promise<number> {
  const stdout = await openOutput(1, spec)
  try {
    const stderr = await openOutput(2, spec)
    try {
      return await use(stdout, stderr)
    } finally {
      stderr.close()
    }
  } finally {
    stdout.close()
  }
}

function refusedByHelper({ helpers }: Preparation, path: string, spec: LaunchSpec, exit: Exit): Refusal {
  const by = helpers.join(' and ')
  const exitCode = exit.kind === 'code' ? exit.code : undefined
  const code = exitCode === 126 ? 'EACCES' : exists(path, spec.cwd) ? 'EPERM' : 'ENOENT'
  return new Refusal(
    `${by} could not start ${path} (${exitCode === undefined ? exit.kind : `exit code ${exitCode}`})`,
    code,
    code === 'ENOENT'
      ? explainRefusal(path, spec.cwd, code)
      : `the user, the limits or the program were refused; what ${by} said is in the job's stderr`,
  )
}
