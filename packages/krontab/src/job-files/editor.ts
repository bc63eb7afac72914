import { spawnSync } from 'node:child_process'
import type { CommandContext } from '../context/command-context.ts'
import { badInput } from '../context/refusal.ts'

/** Lets the user's editor change a file; throws a Refusal if it fails. */
export function startEditor({ env }: Pick<CommandContext, 'env'>, copy: string): void {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi'
  // The variable may hold arguments, so a shell splits it.
  const { status, signal, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'krontab', copy], {
    stdio: 'inherit',
  })
  if (status === 0) return
  const why = error?.message ?? (signal === null ? `exit ${status}` : signal)
  throw badInput(
    `the editor ${JSON.stringify(editor)} failed (${why}): nothing was changed`,
    'set $VISUAL or $EDITOR',
  )
}
