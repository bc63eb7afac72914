import { indent, styleOf, table, visible } from '@kron/cli'
import { fileOf, nameOf } from '@kron/host'
import type { AuditPage, AuditRecord } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { countOption } from '../context/option-values.ts'
import { printAnswer } from '../context/print.ts'
import type { Run } from '../context/run.ts'
import { askApi } from '../daemon/ask.ts'
import type { AUDIT } from '../program/daemon-commands.ts'

export const run: Run<typeof AUDIT> = async (context, options) => {
  const count = countOption('count', options.count, 20, 1_000)
  const page = await askApi<AuditPage>(context, options, `/api/v1/audit?limit=${count}`)
  return printAnswer(context, options, page, () => auditText(context, page.entries))
}

export function auditText(
  { terminal }: Pick<CommandContext, 'terminal'>,
  entries: readonly AuditRecord[],
): string[] {
  if (entries.length === 0) return ['nobody has done anything yet']
  const style = styleOf(terminal)
  const rows = entries.map(({ at, who, action, identity, result, from, detail }) => [
    at,
    who,
    result === 'done' ? action : style.warn(`${action} (refused)`),
    identity === null ? '' : nameOf(identity),
    // The reason of a pause is any text, and a line end in it could forge an entry.
    visible(detail),
    identity === null ? '' : fileOf(identity),
    from,
  ])
  const heads = [
    { title: 'when' },
    { title: 'who' },
    { title: 'did' },
    { title: 'job' },
    { title: 'detail', least: 12, leaveOut: 3, paint: style.faint },
    { title: 'file', least: 16, leaveOut: 2, paint: style.faint },
    { title: 'from', least: 14, leaveOut: 1, paint: style.faint },
  ]
  return indent(table(heads, rows, terminal.width - 2, style.faint))
}
