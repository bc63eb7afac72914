import { errorText, runProgram, visibleScreen } from '@kron/cli'
import { versionOf } from '../version.ts'
import { runBalance } from './balance.ts'
import { type CommandName, KRONCTL } from './command.ts'
import { runCompletion } from './completion.ts'
import { runConvert } from './convert.ts'
import { runExplain, runNext } from './explain.ts'
import { runForecast } from './forecast.ts'
import { runInstall } from './install.ts'
import { runResume, runSuspend } from './suspend.ts'
import type { Terminal } from './terminal.ts'
import { runTrigger } from './trigger.ts'
import { runValidate } from './validate.ts'

export const FAILED = 1
const MISTAKE = 2

/** Runs a command with its options and the word of its argument, and returns the exit code. */
type Run = (options: never, terminal: Terminal, name: never) => number | Promise<number>

const RUNS: Readonly<Record<CommandName, Run>> = {
  explain: runExplain,
  next: runNext,
  forecast: runForecast,
  balance: runBalance,
  validate: runValidate,
  convert: runConvert,
  trigger: runTrigger,
  completion: runCompletion,
  install: runInstall,
  suspend: runSuspend,
  resume: runResume,
}

/** Runs one command line and returns the exit code. */
export function runKronctl(words: readonly string[], outside: Terminal, width = 100): Promise<number> {
  const terminal = guarded(outside)
  return runProgram(KRONCTL, words, {
    out: terminal.out,
    err: terminal.error,
    width,
    version: () => versionOf('kronctl'),
    mistakeCode: MISTAKE,
    run: async ({ command, options, arguments: [name] }) => {
      try {
        return await RUNS[command.name as CommandName](options as never, terminal, name as never)
      } catch (error) {
        terminal.error(errorText({ message: (error as Error).message }))
        return FAILED
      }
    },
  })
}

/** Escapes control characters, because manifests and objects in the cluster may contain any text. */
const guarded = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: text => terminal.out(visibleScreen(text)),
  error: text => terminal.error(visibleScreen(text)),
})
