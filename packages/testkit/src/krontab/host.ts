import type { Terminal } from '@kron/cli'
import { Curves } from '@kron/host'
import { type Host, noCalendars } from '../../../krontab/src/host.ts'
import { main } from '../../../krontab/src/main.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export const PLAIN: Terminal = { width: 100, colour: false, unicode: true, progress: false }

export interface Stage extends Partial<Omit<Host, 'out' | 'data' | 'err' | 'now' | 'terminal'>> {
  readonly terminal?: Partial<Terminal>
  readonly now?: number
}

/** Runs one command line in this process, with a host that only records output. */
export const krontab = (words: readonly string[], stage: Stage = {}): Promise<Ran> =>
  onStage(host => main(words, host), stage)

/** Runs a program with a host that only records output. */
export async function onStage(
  program: (host: Host) => Promise<number>,
  { terminal, now = 0, ...stage }: Stage = {},
): Promise<Ran> {
  let out = ''
  let err = ''
  const host: Host = {
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
    ...stage,
    terminal: { ...PLAIN, ...terminal },
    now: () => now,
    out: text => {
      out += text
    },
    data: text => {
      out += text
    },
    err: text => {
      err += text
    },
  }
  const code = await program(host)
  return { code, out, err }
}
