import { type Given, plural } from '@kron/cli'
import { printInstant } from '@kron/core'
import type { ResetResult } from '@kron/host/api'
import { instantOption } from '../arguments.ts'
import { askApi, jobPath } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson } from '../print.ts'
import type { RESET } from '../program/act.ts'
import { OK } from '../refusal.ts'

export async function run(
  host: Host,
  options: Given<typeof RESET.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const to = options.to === undefined ? {} : { to: printInstant(instantOption('to', options.to, host)) }
  const result = await askApi<ResetResult>(host, options, {
    method: 'POST',
    path: jobPath(job, '/reset'),
    body: { ...to, ...(options.force ? { force: 'yes' } : {}) },
  })
  if (options.format === 'json') printJson(host, result)
  else host.out(`${resetText(result)}\n`)
  return OK
}

function resetText({ identity, to, changed, forgotten }: ResetResult): string {
  if (!changed) return `${identity}: no period after ${to} is handled; nothing changed`
  const outcomes = forgotten.length === 0 ? '' : `; ${plural(forgotten.length, 'outcome')} forgotten`
  return `${identity}: the periods after ${to} are owed again${outcomes}`
}
