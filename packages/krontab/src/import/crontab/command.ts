import { splitInput } from '@kron/host'
import { needsNoShell, type Run, shellWord } from '../shell.ts'

const DEFAULT_SHELL = '/bin/sh'

/** The command that krond runs instead of a crontab's command: the same shell, the same standard input. */
export function runOf(text: string, shell: string): Run {
  const { command: written, input } = splitInput(text)
  const command = written.trimEnd()
  const plain = shell === DEFAULT_SHELL || shell === 'sh' || shell === '/usr/bin/sh'
  if (input === undefined || input === '') {
    if (needsNoShell(command)) return { command, shell: false }
    return { command: plain ? command : `exec ${shellWord(shell)} -c ${shellWord(command)}`, shell: true }
  }
  // krond's jobs read /dev/null, so the input comes through a pipe.
  const lines = input
    .slice(0, -1)
    .split('\n')
    .map(line => `'${line.replaceAll("'", "'\\''")}'`)
  const reader = `${shellWord(plain ? DEFAULT_SHELL : shell)} -c ${shellWord(command)}`
  return { command: `printf '%s\\n' ${lines.join(' ')} | ${reader}`, shell: true }
}
