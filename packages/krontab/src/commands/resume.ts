import { type Given, plural } from '@kron/cli'
import type { ResumeResult } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { printJson } from '../context/print.ts'
import { OK } from '../context/refusal.ts'
import { askApi } from '../daemon/ask.ts'
import type { RESUME } from '../program/daemon-commands.ts'
import { pathOf } from './pause.ts'

export async function run(
  context: CommandContext,
  options: Given<typeof RESUME.options>,
  [job]: readonly string[],
): Promise<number> {
  const path = pathOf(job, options.all, 'resume')
  const result = await askApi<ResumeResult>(context, options, { method: 'POST', path, body: {} })
  if (options.format === 'json') printJson(context, result)
  else context.out(result.ended === 0 ? 'nothing was paused\n' : `${plural(result.ended, 'pause')} ended\n`)
  return OK
}
