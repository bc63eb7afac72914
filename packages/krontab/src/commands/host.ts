import { printAnswer } from '../context/print.ts'
import type { Run } from '../context/run.ts'
import { placeOf } from '../fleet/salts.ts'
import type { HOST } from '../program/preview-commands.ts'

export const run: Run<typeof HOST> = (context, options) => {
  const { host: name, machine } = placeOf(context, options)
  const line = machine === undefined ? name : `${name} ${machine}`
  return printAnswer(context, options, { host: name, machine: machine ?? null }, () => [line])
}
