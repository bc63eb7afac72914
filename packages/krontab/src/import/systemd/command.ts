import type { Remarks } from '@kron/cli'
import { needsNoShell, type Run } from '../shell.ts'
import { type Exec, readExec, type Specifiers } from './exec.ts'
import { type Directive, listed } from './unit-file.ts'

export interface ServiceRun extends Run {
  /** The `+` prefix: the command runs as root regardless of User=. */
  readonly privileged: boolean
}

const STEPS = ['ExecStartPre', 'ExecStart', 'ExecStartPost'] as const

/** The commands of the service, run in order until one fails; undefined if they cannot be converted. */
export function runOfService(
  directives: readonly Directive[],
  specifiers: Specifiers,
  remarks: Remarks,
): ServiceRun | undefined {
  const steps: Exec[] = []
  for (const directive of STEPS.flatMap(key => listed(directives, key))) {
    const exec = readExec(directive.value, specifiers)
    if (typeof exec === 'string')
      return remarks.lost(directive.line, `${directive.key}=${directive.value}: ${exec}`)
    steps.push(exec)
  }
  if (listed(directives, 'ExecStart').length === 0) return remarks.lost(0, 'there is no ExecStart= to run')
  const privileged = steps.some(({ prefixes }) => /[+!]/.test(prefixes))
  if (privileged && steps.length > 1 && !steps.every(({ prefixes }) => /[+!]/.test(prefixes)))
    return remarks.lost(
      0,
      'some commands run with full privileges (+, !) and some do not: write them as jobs of their own',
    )
  const only = steps.length === 1 ? steps[0]! : undefined
  if (only?.words !== undefined) {
    const line = only.words.join(' ')
    if (needsNoShell(line) && only.words.every(word => /^\S+$/.test(word)))
      return { command: line, shell: false, privileged }
    if (only.words.every(word => !word.includes('"')) && only.words[0]!.startsWith('/'))
      return { command: only.words.map(quotedWord).join(' '), shell: false, privileged }
  }
  const command = steps
    .map(({ shellWords, prefixes }) => {
      const line = shellWords.join(' ')
      return prefixes.includes('-') && steps.length > 1 ? `{ ${line} || :; }` : line
    })
    .join(' && ')
  return { command: only === undefined ? command : `exec ${command}`, shell: true, privileged }
}

/** A word of a job file's command, quoted if it contains blanks. */
const quotedWord = (word: string): string => (/^[^\s]+$/.test(word) ? word : `"${word}"`)
