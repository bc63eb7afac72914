import type { Given } from '@kron/cli'
import type { CommandContext } from '../context/command-context.ts'
import { printJson, printLines } from '../context/print.ts'
import { OK } from '../context/refusal.ts'
import { placeOf } from '../fleet/salts.ts'
import type { HOST } from '../program/preview-commands.ts'

export function run(context: CommandContext, options: Given<typeof HOST.options>): number {
  const { host: name, machine } = placeOf(context, options)
  if (options.format === 'json') printJson(context, { host: name, machine: machine ?? null })
  else printLines(context, [machine === undefined ? name : `${name} ${machine}`])
  return OK
}
