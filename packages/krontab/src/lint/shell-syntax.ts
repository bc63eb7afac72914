import { shellSyntaxIn } from '@kron/host'
import type { EntryRule } from './finding.ts'

/** Shell syntax in a command that runs without a shell. */
export const shellSyntax: EntryRule = entry => {
  if (entry.shell) return undefined
  const found = shellSyntaxIn(entry.command)
  if (found === undefined) return undefined
  return {
    part: 'command',
    message: `no shell reads this command: ${JSON.stringify(found)} is passed to the program as it stands`,
    hint: 'add shell=true, or write the program and its arguments without it',
  }
}
