import { type Problem, problemText, styleOf } from '@kron/cli'
import type { LineFault } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'

const MOST_SHOWN = 50

/** Prints the faults of a file on standard error. */
export function showFaults(context: CommandContext, file: string, faults: readonly LineFault[]): void {
  const style = styleOf(context.terminal)
  for (const fault of faults.slice(0, MOST_SHOWN))
    context.err(problemText(file, 'error', '', problemOf(fault), style))
  if (faults.length > MOST_SHOWN) context.err(`and ${faults.length - MOST_SHOWN} more\n`)
}

/** A fault as findings are printed, its column counted from 1. */
export const problemOf = ({ line, at, length, message, hint = '', source }: LineFault): Problem => ({
  line,
  column: at + 1,
  length,
  message,
  hint,
  source,
})
