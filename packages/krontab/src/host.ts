import { fstatSync, writeSync } from 'node:fs'
import { visibleScreen } from '@kron/runtime/cli'

/** What the commands know of the world around them; tests bring their own. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly uid: number
  readonly gid: number
  readonly terminal: Terminal
  /** Whether somebody is there to answer questions. */
  readonly interactive: boolean
  /** Whole epoch seconds. */
  now(): number
  out(text: string): void
  /** Writes a file to standard output: byte for byte, unless that is a terminal. */
  data(text: string): void
  err(text: string): void
  /** The answer to a question, without its line end; empty if there is none. */
  ask(question: string): Promise<string>
}

/** How to draw on standard output. */
export interface Terminal {
  readonly width: number
  readonly colour: boolean
  readonly unicode: boolean
  /** Whether a line that is overwritten again and again can be shown on standard error. */
  readonly progress: boolean
}

const DEFAULT_WIDTH = 80
const NARROWEST = 40
const WIDEST = 160

export function processHost(): Host {
  const { env } = process
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
    interactive: stdin === true && stderr === true,
    now: () => Math.floor(Date.now() / 1000),
    out: text => writeAll(1, text),
    data: text => writeAll(1, stdout ? visibleScreen(text) : text),
    err: text => writeAll(2, text),
    ask,
  }
}

/** The kind of device that /dev/null is. */
const MEMORY_DEVICES = 1

/** Asks the file first: Node's own streams take milliseconds to make, and most runs need none. */
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

export interface Screen {
  /** Undefined if standard output is no terminal. */
  readonly columns: number | undefined
  readonly progress: boolean
}

export function terminalOf(env: Host['env'], { columns, progress }: Screen): Terminal {
  const width = Number(env['COLUMNS']) || columns || DEFAULT_WIDTH
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, width)),
    colour: columns !== undefined && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    unicode: /utf-?8/i.test(locale),
    progress: progress && env['TERM'] !== 'dumb',
  }
}

/** Writes at once and in full: nothing is lost on exit, and a closed pipe (`| head`) ends the program quietly. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') process.exit(0)
      if (code !== 'EAGAIN') throw error
      // The pipe is full and does not block: wait for its reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
