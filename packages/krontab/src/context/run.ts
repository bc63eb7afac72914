import type { Given, Options } from '@kron/cli'
import type { CommandContext } from './command-context.ts'

/** Runs a command with its options and the words of its arguments, and returns the exit code. */
export type Run<C extends { readonly options: Options }> = (
  context: CommandContext,
  options: Given<C['options']>,
  words: readonly string[],
) => number | Promise<number>
