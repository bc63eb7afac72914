import { visibleJson } from '@kron/cli'
import type { CommandContext } from './command-context.ts'
import { OK } from './refusal.ts'

export const printJson = (context: CommandContext, value: unknown): void =>
  context.out(`${visibleJson(JSON.stringify(value, null, 2))}\n`)

export const printLines = (context: CommandContext, lines: readonly string[]): void =>
  context.out(lines.map(line => `${line}\n`).join(''))

/** Prints the answer of a command in the format that the user wants, and returns the exit code. */
export function printAnswer(
  context: CommandContext,
  { format }: { readonly format: string | undefined },
  document: unknown,
  lines: () => readonly string[],
): number {
  if (format === 'json') printJson(context, document)
  else printLines(context, lines())
  return OK
}
