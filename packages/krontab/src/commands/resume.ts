import { plural } from '@kron/cli'
import type { ResumeResult } from '@kron/host/api'
import { printAnswer } from '../context/print.ts'
import type { Run } from '../context/run.ts'
import { askApi } from '../daemon/ask.ts'
import type { RESUME } from '../program/daemon-commands.ts'
import { pathOf } from './pause.ts'

export const run: Run<typeof RESUME> = async (context, options, [job]) => {
  const path = pathOf(job, options.all, 'resume')
  const result = await askApi<ResumeResult>(context, options, path, {})
  const line = result.ended === 0 ? 'nothing was paused' : `${plural(result.ended, 'pause')} ended`
  return printAnswer(context, options, result, () => [line])
}
