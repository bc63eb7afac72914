import { plural } from '@kron/cli'
import { printInstant } from '@kron/core'
import type { ResetResult } from '@kron/host/api'
import { instantOption } from '../context/option-values.ts'
import { printAnswer } from '../context/print.ts'
import type { Run } from '../context/run.ts'
import { askApi, jobPath } from '../daemon/ask.ts'
import type { RESET } from '../program/daemon-commands.ts'

export const run: Run<typeof RESET> = async (context, options, [job = '']) => {
  const to = options.to === undefined ? {} : { to: printInstant(instantOption('to', options.to, context)) }
  const result = await askApi<ResetResult>(context, options, jobPath(job, '/reset'), {
    ...to,
    ...(options.force ? { force: 'yes' } : {}),
  })
  return printAnswer(context, options, result, () => [resetText(result)])
}

function resetText({ identity, to, changed, forgotten }: ResetResult): string {
  if (!changed) return `${identity}: no period after ${to} is handled; nothing changed`
  const outcomes = forgotten.length === 0 ? '' : `; ${plural(forgotten.length, 'outcome')} forgotten`
  return `${identity}: the periods after ${to} are owed again${outcomes}`
}
