import type { Terminal } from '@kron/cli'
import { Curves } from '@kron/host'
import { type CommandContext, noCalendars } from '../../../krontab/src/context/command-context.ts'
import { main } from '../../../krontab/src/main.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const PLAIN: Terminal = { width: 100, colour: false, unicode: true, progress: false }

/** The parts of a command's context that a test chooses itself. */
export interface ContextParts
  extends Partial<Omit<CommandContext, 'out' | 'data' | 'err' | 'now' | 'terminal'>> {
  readonly terminal?: Partial<Terminal>
  readonly now?: number
}

/** Runs one krontab command line in this process and records its output. */
export const krontab = (words: readonly string[], parts: ContextParts = {}): Promise<Ran> =>
  runRecorded(context => main(words, context), parts)

/** Runs a program in this process, with a context that records its output. */
export async function runRecorded(
  program: (context: CommandContext) => number | Promise<number>,
  { terminal, now = 0, ...parts }: ContextParts = {},
): Promise<Ran> {
  let out = ''
  let err = ''
  const print = (text: string): void => {
    out += text
  }
  const code = await program({
    env: { HOME: '/home/nobody' },
    cwd: process.cwd(),
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    interactive: false,
    calendars: noCalendars(),
    curves: new Curves(),
    confFile: '/nonexistent/krond.conf',
    place: () => ({ host: 'here', machine: undefined }),
    isGone: identity => identity.startsWith('/etc/krond.d/gone.kron:'),
    ask: async () => '',
    ...parts,
    terminal: { ...PLAIN, ...terminal },
    now: () => now,
    out: print,
    data: print,
    err: text => {
      err += text
    },
  })
  return { code, out, err }
}
