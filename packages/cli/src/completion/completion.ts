import type { Command } from '../spec.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Shell commands that print candidates, one a line, for what only the program itself knows. */
export interface Candidates {
  readonly job: string
}

export function completionScript(shell: Shell, program: Command, candidates: Candidates): string {
  switch (shell) {
    case 'bash':
      return bashCompletion(program, candidates)
    case 'zsh':
      return zshCompletion(program, candidates)
    case 'fish':
      return fishCompletion(program, candidates)
  }
}
