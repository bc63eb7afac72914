import { completionScript, type Given, type Options, type Shell } from '@kron/cli'
import type { Host } from '../host.ts'
import { KRONTAB } from '../program/program.ts'
import { OK } from '../refusal.ts'

export function run(host: Host, _options: Given<Options>, [shell = '']: readonly string[]): number {
  host.out(completionScript(shell as Shell, KRONTAB, { job: 'krontab list --names' }))
  return OK
}
