import { readFileSync } from 'node:fs'
import { isDead, readProcessStat } from '../process/proc-stat.ts'
import { programName } from './executable.ts'
import type { Preparation } from './preparation.ts'

const LONGEST_WAIT = 10_000
const LONGEST_PAUSE = 50

/**
 * Whether a process made of helpers has become the command, or has died as a helper.
 * The kernel keeps the name of the program last executed even for a dead process, which makes "it never was the
 * command" certain unless the command shares a helper's name; whatever is not certain counts as taken over.
 */
export class Takeover {
  readonly #pid: number
  readonly #helpers: readonly string[]
  /** The command lines that the process has as long as it is a helper. */
  readonly #stages: ReadonlySet<string>
  readonly #command: string
  #verdict: 'taken' | 'refused' | undefined
  #settle!: () => void
  readonly #settled = new Promise<void>(resolve => {
    this.#settle = resolve
  })

  constructor(pid: number, preparation: Preparation, commandLength: number) {
    const { words } = preparation
    this.#pid = pid
    this.#helpers = preparation.helpers
    this.#command = programName(words.at(-commandLength)!)
    this.#stages = new Set(
      words.slice(0, -commandLength).map((_, from) => `${words.slice(from).join('\0')}\0`),
    )
  }

  /** To be called in between and, for certain, when the process has died and before it is reaped. */
  look(): void {
    if (this.#verdict !== undefined) return
    const stat = readProcessStat(this.#pid)
    if (stat === undefined || !this.#helpers.includes(stat.program)) this.#conclude('taken')
    else if (isDead(stat)) this.#conclude(stat.program === this.#command ? 'taken' : 'refused')
    else if (stat.program === this.#command && !this.#looksLikeHelper()) this.#conclude('taken')
  }

  async verdict(): Promise<'taken' | 'refused'> {
    let waited = 0
    for (let pause = 1; this.#verdict === undefined && waited < LONGEST_WAIT; waited += pause) {
      await Promise.race([this.#settled, new Promise(resolve => setTimeout(resolve, pause))])
      this.look()
      pause = Math.min(pause * 2, LONGEST_PAUSE)
    }
    return this.#verdict ?? 'taken'
  }

  #conclude(verdict: 'taken' | 'refused'): void {
    this.#verdict = verdict
    this.#settle()
  }

  #looksLikeHelper(): boolean {
    const words = commandLine(this.#pid)
    // It is empty for a moment while the kernel replaces the program.
    return words === '' || this.#stages.has(words)
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
