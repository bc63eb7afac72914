import { type Given, plural } from '@kron/cli'
import { printInstant } from '@kron/core'
import type { ResetResult } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { instantOption } from '../context/option-values.ts'
import { printJson } from '../context/print.ts'
import { OK } from '../context/refusal.ts'
import { askApi, jobPath } from '../daemon/ask.ts'
import type { RESET } from '../program/daemon-commands.ts'

export async function run(
  context: CommandContext,
  options: Given<typeof RESET.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const to = options.to === undefined ? {} : { to: printInstant(instantOption('to', options.to, context)) }
  const result = await askApi<ResetResult>(context, options, {
    method: 'POST',
    path: jobPath(job, '/reset'),
    body: { ...to, ...(options.force ? { force: 'yes' } : {}) },
  })
  if (options.format === 'json') printJson(context, result)
  else context.out(`${resetText(result)}\n`)
  return OK
}

function resetText({ identity, to, changed, forgotten }: ResetResult): string {
  if (!changed) return `${identity}: no period after ${to} is handled; nothing changed`
  const outcomes = forgotten.length === 0 ? '' : `; ${plural(forgotten.length, 'outcome')} forgotten`
  return `${identity}: the periods after ${to} are owed again${outcomes}`
}
