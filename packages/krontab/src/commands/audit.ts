import { type Given, indent, styleOf, table } from '@kron/cli'
import { fileOf, nameOf } from '@kron/host'
import type { AuditPage, AuditRecord } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { countOption } from '../context/option-values.ts'
import { printJson, printLines } from '../context/print.ts'
import { OK } from '../context/refusal.ts'
import { askApi } from '../daemon/ask.ts'
import type { AUDIT } from '../program/daemon-commands.ts'

export async function run(context: CommandContext, options: Given<typeof AUDIT.options>): Promise<number> {
  const count = countOption('count', options.count, 20, 1_000)
  const page = await askApi<AuditPage>(context, options, {
    method: 'GET',
    path: `/api/v1/audit?limit=${count}`,
  })
  if (options.format === 'json') printJson(context, page)
  else
    printLines(
      context,
      page.entries.length === 0 ? ['nobody has done anything yet'] : auditText(context, page.entries),
    )
  return OK
}

function auditText({ terminal }: CommandContext, entries: readonly AuditRecord[]): string[] {
  const style = styleOf(terminal)
  const rows = entries.map(({ at, who, action, identity, result, from, detail }) => [
    at,
    who,
    result === 'done' ? action : style.warn(`${action} (refused)`),
    identity === null ? '' : nameOf(identity),
    detail,
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
