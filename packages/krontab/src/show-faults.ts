import { problemText, styleOf } from '@kron/cli'
import type { LineFault } from '@kron/host'
import type { Host } from './host.ts'

const MOST_SHOWN = 50

/** Prints the faults of a file on standard error. */
export function showFaults(host: Host, file: string, faults: readonly LineFault[]): void {
  const style = styleOf(host.terminal)
  for (const { line, at, length, message, hint = '', source } of faults.slice(0, MOST_SHOWN)) {
    host.err(problemText(file, 'error', '', { line, column: at + 1, length, message, hint, source }, style))
  }
  if (faults.length > MOST_SHOWN) host.err(`and ${faults.length - MOST_SHOWN} more\n`)
}
