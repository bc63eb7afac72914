import { visibleJson } from '@kron/cli'
import type { CommandContext } from './command-context.ts'

export const printJson = (context: CommandContext, value: unknown): void =>
  context.out(`${visibleJson(JSON.stringify(value, null, 2))}\n`)

export const printLines = (context: CommandContext, lines: readonly string[]): void =>
  context.out(lines.map(line => `${line}\n`).join(''))
