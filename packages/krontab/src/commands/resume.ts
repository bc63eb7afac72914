import { type Given, plural } from '@kron/cli'
import type { ResumeResult } from '@kron/host/api'
import { askApi } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson } from '../print.ts'
import type { RESUME } from '../program/act.ts'
import { OK } from '../refusal.ts'
import { pathOf } from './pause.ts'

export async function run(
  host: Host,
  options: Given<typeof RESUME.options>,
  [job]: readonly string[],
): Promise<number> {
  const path = pathOf(job, options.all, 'resume')
  const result = await askApi<ResumeResult>(host, options, { method: 'POST', path, body: {} })
  if (options.format === 'json') printJson(host, result)
  else host.out(result.ended === 0 ? 'nothing was paused\n' : `${plural(result.ended, 'pause')} ended\n`)
  return OK
}
