import type { Given } from '@kron/cli'
import { placeOf } from '../fleet/salts.ts'
import type { Host } from '../host.ts'
import { printJson, printLines } from '../print.ts'
import type { HOST } from '../program/foresee.ts'
import { OK } from '../refusal.ts'

export function run(host: Host, options: Given<typeof HOST.options>): number {
  const { host: name, machine } = placeOf(host, options)
  if (options.format === 'json') printJson(host, { host: name, machine: machine ?? null })
  else printLines(host, [machine === undefined ? name : `${name} ${machine}`])
  return OK
}
