import { type Given, indent, styleOf, table } from '@kron/cli'
import type { AuditPage, AuditRecord } from '@kron/host/api'
import { countOption } from '../arguments.ts'
import { askApi } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson, printLines } from '../print.ts'
import type { AUDIT } from '../program/act.ts'
import { OK } from '../refusal.ts'

export async function run(host: Host, options: Given<typeof AUDIT.options>): Promise<number> {
  const count = countOption('count', options.count, 20, 1_000)
  const page = await askApi<AuditPage>(host, options, { method: 'GET', path: `/api/v1/audit?limit=${count}` })
  if (options.format === 'json') printJson(host, page)
  else
    printLines(
      host,
      page.entries.length === 0 ? ['nobody has done anything yet'] : auditText(host, page.entries),
    )
  return OK
}

function auditText({ terminal }: Host, entries: readonly AuditRecord[]): string[] {
  const style = styleOf(terminal)
  const rows = entries.map(({ at, who, action, identity, result, from, detail }) => [
    at,
    who,
    result === 'done' ? action : style.warn(`${action} (refused)`),
    identity ?? '',
    from,
    detail,
  ])
  const heads = [
    { title: 'when' },
    { title: 'who' },
    { title: 'did' },
    { title: 'job' },
    { title: 'from', least: 14, optional: true, paint: style.faint },
    { title: 'detail', least: 12, optional: true, paint: style.faint },
  ]
  return indent(table(heads, rows, terminal.width - 2, style.faint))
}
