import { indent, styleOf, table } from '@kron/cli'
import type { NotifyTestPage } from '@kron/host/api'
import { printJson, printLines } from '../context/print.ts'
import { NOT_FOUND, OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { askApi, jobPath } from '../daemon/ask.ts'
import type { NOTIFY } from '../program/daemon-commands.ts'

/** Each target may take half a minute for each event. */
const PATIENCE_MS = 600_000

export const run: Run<typeof NOTIFY> = async (context, options, [, job = '']) => {
  const page = await askApi<NotifyTestPage>(context, options, jobPath(job, '/notify-test'), {}, PATIENCE_MS)
  if (options.format === 'json') printJson(context, page)
  else {
    const style = styleOf(context.terminal)
    const rows = page.results.map(({ target, event, error }) => [
      event,
      target,
      error === null ? style.good('taken') : style.bad(error),
    ])
    const heads = [{ title: 'event' }, { title: 'target' }, { title: 'result' }]
    printLines(context, indent(table(heads, rows, context.terminal.width - 2, style.faint)))
  }
  return page.results.every(({ error }) => error === null) ? OK : NOT_FOUND
}
