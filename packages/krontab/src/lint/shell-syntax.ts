import { type Entry, type LineFault, shellSyntaxIn } from '@kron/host'
import { type EntryRule, placeOf } from './finding.ts'
import { lineReader } from './line-reader.ts'

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

/** The lines whose command has shell syntax but no shell. Lines of `before`, the installed file, are not reported again. */
export function shellSyntaxFaults(entries: readonly Entry[], text: string, before = ''): LineFault[] {
  const known = new Set(before.split('\n'))
  const lines = lineReader(text)
  return entries.flatMap(entry => {
    const finding = shellSyntax(entry, '')
    const source = lines(entry.line)
    if (finding === undefined || known.has(source)) return []
    const { part, message, hint } = finding
    return [
      { category: 'ConfigurationError', line: entry.line, ...placeOf(part, source), message, hint, source },
    ]
  })
}
