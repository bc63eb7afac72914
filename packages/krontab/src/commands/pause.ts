import { plural } from '@kron/cli'
import { printInstant } from '@kron/core'
import { MOST_COUNTED_PERIODS, nameOf } from '@kron/host'
import type { PauseResult } from '@kron/host/api'
import { instantOption } from '../context/option-values.ts'
import { printAnswer } from '../context/print.ts'
import { badInput } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { askApi, jobPath } from '../daemon/ask.ts'
import type { PAUSE } from '../program/daemon-commands.ts'

export const run: Run<typeof PAUSE> = async (context, options, [job]) => {
  const time = (name: 'from' | 'until'): object =>
    options[name] === undefined ? {} : { [name]: printInstant(instantOption(name, options[name], context)) }
  const reason = options.reason === undefined ? {} : { reason: options.reason }
  const result = await askApi<PauseResult>(context, options, pathOf(job, options.all, 'pause'), {
    ...time('from'),
    ...time('until'),
    ...reason,
  })
  return printAnswer(context, options, result, () => [pauseText(result)])
}

/** The caller must name either one job or all. */
export function pathOf(job: string | undefined, all: boolean, action: 'pause' | 'resume'): string {
  if ((job === undefined) === all) return job === undefined ? `/api/v1/${action}` : jobPath(job, `/${action}`)
  throw badInput(
    all ? 'a job and --all cannot both be given' : 'name a job, or all jobs with --all',
    `for example: krontab ${action} backup`,
  )
}

function pauseText({ pause, periods }: PauseResult): string {
  const what = pause.identity === null ? 'all jobs' : nameOf(pause.identity)
  const end = pause.until === null ? 'until krontab resume' : `until ${pause.until}`
  const most = periods === MOST_COUNTED_PERIODS ? 'at least ' : ''
  const cost = periods === null ? '' : `; it will cost ${most}${plural(periods, 'period')}`
  return `paused ${what} from ${pause.from} ${end}${cost}`
}
