import { problemText, styleOf } from '@kron/cli'
import type { LineFault } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'

const MOST_SHOWN = 50

/** Prints the faults of a file on standard error. */
export function showFaults(context: CommandContext, file: string, faults: readonly LineFault[]): void {
  const style = styleOf(context.terminal)
  for (const { line, at, length, message, hint = '', source } of faults.slice(0, MOST_SHOWN)) {
    context.err(
      problemText(file, 'error', '', { line, column: at + 1, length, message, hint, source }, style),
    )
  }
  if (faults.length > MOST_SHOWN) context.err(`and ${faults.length - MOST_SHOWN} more\n`)
}
