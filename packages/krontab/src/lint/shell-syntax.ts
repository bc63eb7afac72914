import { shellSyntaxIn } from '@kron/host'
import type { EntryRule } from './finding.ts'

/** Characters that only a shell understands, in a command that no shell sees. */
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
