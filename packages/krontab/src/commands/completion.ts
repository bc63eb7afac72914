import { completionScript, type Options, type Shell } from '@kron/cli'
import { OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { KRONTAB } from '../program/program.ts'

export const run: Run<{ readonly options: Options }> = (context, _options, [shell = '']) => {
  context.out(completionScript(shell as Shell, KRONTAB, 'krontab list --names'))
  return OK
}
