import { completionScript, type Given, type Options, type Shell } from '@kron/cli'
import type { CommandContext } from '../context/command-context.ts'
import { OK } from '../context/refusal.ts'
import { KRONTAB } from '../program/program.ts'

export function run(
  context: CommandContext,
  _options: Given<Options>,
  [shell = '']: readonly string[],
): number {
  context.out(completionScript(shell as Shell, KRONTAB, { job: 'krontab list --names' }))
  return OK
}
