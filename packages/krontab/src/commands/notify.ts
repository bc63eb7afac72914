import { type Given, indent, styleOf, table } from '@kron/cli'
import type { NotifyTestPage } from '@kron/host/api'
import { askApi, jobPath } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson, printLines } from '../print.ts'
import type { NOTIFY } from '../program/act.ts'
import { NOT_FOUND, OK } from '../refusal.ts'

/** Each target may take half a minute for each event. */
const PATIENCE_MS = 600_000

export async function run(
  host: Host,
  options: Given<typeof NOTIFY.options>,
  [, job = '']: readonly string[],
): Promise<number> {
  const request = { method: 'POST', path: jobPath(job, '/notify-test'), body: {} } as const
  const page = await askApi<NotifyTestPage>(host, options, request, PATIENCE_MS)
  if (options.format === 'json') printJson(host, page)
  else {
    const style = styleOf(host.terminal)
    const rows = page.results.map(({ target, event, error }) => [
      event,
      target,
      error === null ? style.good('taken') : style.bad(error),
    ])
    const heads = [{ title: 'event' }, { title: 'target' }, { title: 'result' }]
    printLines(host, indent(table(heads, rows, host.terminal.width - 2, style.faint)))
  }
  return page.results.every(({ error }) => error === null) ? OK : NOT_FOUND
}
