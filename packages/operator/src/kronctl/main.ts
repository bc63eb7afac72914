import { errorText, type Given, type Invocation, runProgram, visibleScreen } from '@kron/cli'
import { versionOf } from '../version.ts'
import { runBalance } from './balance.ts'
import {
  type BALANCE_OPTIONS,
  type CONVERT_OPTIONS,
  type EXPLAIN_OPTIONS,
  type FORECAST_OPTIONS,
  type INSTALL_OPTIONS,
  KRONCTL,
  type NEXT_OPTIONS,
  type SUSPEND_OPTIONS,
  type TRIGGER_OPTIONS,
  type VALIDATE_OPTIONS,
} from './command.ts'
import { runCompletion } from './completion.ts'
import { runConvert } from './convert.ts'
import { runExplain, runNext } from './explain.ts'
import { runForecast } from './forecast.ts'
import { runInstall } from './install.ts'
import { runSuspend } from './suspend.ts'
import type { Terminal } from './terminal.ts'
import { runTrigger } from './trigger.ts'
import { runValidate } from './validate.ts'

const FAILED = 1
const MISTAKE = 2

/** Runs one command line and returns the exit code. */
export function runKronctl(words: readonly string[], outside: Terminal, width = 100): Promise<number> {
  const terminal = guarded(outside)
  return runProgram(KRONCTL, words, {
    out: terminal.out,
    err: terminal.error,
    width,
    version: () => versionOf('kronctl'),
    mistakeCode: MISTAKE,
    run: line =>
      run(line, terminal).catch((error: Error) => {
        terminal.error(errorText({ message: error.message }))
        return FAILED
      }),
  })
}

async function run({ command, arguments: [name], options }: Invocation, terminal: Terminal): Promise<number> {
  switch (command.name) {
    case 'explain':
      return runExplain(name, options as Given<typeof EXPLAIN_OPTIONS>, terminal)
    case 'next':
      return runNext(name, options as Given<typeof NEXT_OPTIONS>, terminal)
    case 'forecast':
      return runForecast(options as Given<typeof FORECAST_OPTIONS>, terminal)
    case 'balance':
      return runBalance(options as Given<typeof BALANCE_OPTIONS>, terminal)
    case 'validate':
      return runValidate(options as Given<typeof VALIDATE_OPTIONS>, terminal)
    case 'convert':
      return runConvert(options as Given<typeof CONVERT_OPTIONS>, terminal)
    case 'install':
      return runInstall(options as Given<typeof INSTALL_OPTIONS>, terminal)
    case 'trigger':
      return runTrigger(name!, options as Given<typeof TRIGGER_OPTIONS>, terminal)
    case 'completion':
      return runCompletion(name!, KRONCTL, terminal)
    default:
      return runSuspend(name!, command.name === 'suspend', options as Given<typeof SUSPEND_OPTIONS>, terminal)
  }
}

/** Escapes control characters, because manifests and objects in the cluster may contain any text. */
const guarded = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: text => terminal.out(visibleScreen(text)),
  error: text => terminal.error(visibleScreen(text)),
})
