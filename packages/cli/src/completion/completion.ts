import type { Command } from '../spec.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** `jobs` is a shell command that prints the names of jobs, one a line: only the program itself knows them. */
export function completionScript(shell: Shell, program: Command, jobs: string): string {
  const write = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell]
  return write(program, jobs)
}
