import { fstatSync } from 'node:fs'
import { DirectOutput, type Terminal, terminalOf, visibleScreen } from '@kron/cli'
import type { SaltPlace } from '@kron/core'
import { Calendars, CONF_FILE, Curves, type Entry, goneJobs, thisPlace } from '@kron/host'
import { BAD_INPUT } from './refusal.ts'

/** The interface of the commands to the outside world; tests supply their own. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly uid: number
  readonly gid: number
  readonly terminal: Terminal
  /** Reads calendars; main gives it a parser if there are any. */
  readonly calendars: Calendars
  /** Reads weights files. */
  readonly curves: Curves
  /** The krond.conf of this host. */
  readonly confFile: string
  /** Whether a person is there to answer questions. */
  readonly interactive: boolean
  /** The host itself, for the specifiers of salts. */
  place(): SaltPlace
  /** The jobs of the user's own crontab, from the system's daemon; main asks for them. */
  readonly ownCrontab?: readonly Entry[]
  /** Whether the job of a state is no longer in its file. */
  isGone(identity: string): boolean
  /** Whole epoch seconds. */
  now(): number
  out(text: string): void
  /** Writes a file to standard output: unchanged, unless that is a terminal. */
  data(text: string): void
  err(text: string): void
  /** The answer to a question, without its line end; empty if there is none. */
  ask(question: string): Promise<string>
}

/** This process as a context. `exitCode`: how it ends if the output cannot be written. */
export function processContext(exitCode: number = BAD_INPUT): CommandContext {
  const { env } = process
  const output = new DirectOutput(exitCode)
  const [stdin, stdout, stderr] = [0, 1, 2].map(isTerminal)
  return {
    env,
    cwd: process.cwd(),
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    terminal: terminalOf(env, {
      columns: stdout ? process.stdout.columns : undefined,
      progress: stderr === true,
    }),
    calendars: noCalendars(),
    curves: new Curves(),
    confFile: CONF_FILE,
    place: thisPlace,
    isGone: goneJobs(),
    interactive: stdin === true && stderr === true,
    now: () => Math.floor(Date.now() / 1000),
    out: text => output.out(text),
    data: text => output.out(stdout ? visibleScreen(text) : text),
    err: text => output.error(text),
    ask,
  }
}

/** Without a directory of calendars, nothing is ever parsed. */
export const noCalendars = (): Calendars =>
  new Calendars(() => {
    throw new Error('no parser of calendars was loaded')
  })

/** The major device number of /dev/null. */
const MEMORY_DEVICES = 1

/** Checks the file type first: Node's own streams take milliseconds to create, and most runs need none. */
function isTerminal(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isCharacterDevice() || stats.rdev >> 8 === MEMORY_DEVICES) return false
  } catch {
    return false
  }
  const stream = descriptor === 0 ? process.stdin : descriptor === 1 ? process.stdout : process.stderr
  return stream.isTTY === true
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const dialogue = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await dialogue.question(question)
  } finally {
    dialogue.close()
  }
}
