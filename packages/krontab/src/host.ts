import { writeSync } from 'node:fs'

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
const WIDEST = 160

export function processHost(): Host {
  const { env, stdout, stderr, stdin } = process
  return {
    env,
    cwd: process.cwd(),
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    terminal: terminalOf(env, stdout, stderr),
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    now: () => Math.floor(Date.now() / 1000),
    out: text => writeAll(1, text),
    err: text => writeAll(2, text),
    ask,
  }
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

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export function terminalOf(env: Host['env'], stdout: Stream, stderr: Stream): Terminal {
  const columns = Number(env['COLUMNS']) || (stdout.isTTY ? stdout.columns : undefined) || DEFAULT_WIDTH
  const colour = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return {
    width: Math.min(WIDEST, Math.max(40, columns)),
    colour,
    unicode: /utf-?8/i.test(locale),
    progress: stderr.isTTY === true && env['TERM'] !== 'dumb',
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
