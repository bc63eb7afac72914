import {
  endIfUnwritable,
  errorText,
  type Invocation,
  outputWritten,
  runProgram,
  versionText,
  visibleScreen,
} from '@kron/cli'
import { isKronError } from '@kron/core'
import { hostZones } from '@kron/host'
import { KROND } from './cli.ts'
import { VERSION } from './version.ts'

const FAILED = 1

/** Runs one command line and returns the exit code once everything is written. */
export async function main(words: readonly string[]): Promise<number> {
  // The daemon writes its log itself: Node's stream would make the descriptor non-blocking for other processes, too.
  const streams = words[0] === 'start' ? [process.stdout] : undefined
  endIfUnwritable(FAILED, streams)
  const code = await runProgram(KROND, words, {
    out: text => process.stdout.write(text),
    err: printError,
    width: process.stdout.columns ?? 100,
    version: () => versionText('krond', VERSION, hostZones().source()),
    mistakeCode: FAILED,
    run: runCommand,
  })
  await outputWritten(streams)
  return code
}

async function runCommand({ command, options }: Invocation): Promise<number> {
  try {
    switch (command.name) {
      case 'start':
        return await (await import('./commands/start.ts')).start(options)
      case 'validate':
        return (await import('./commands/validate.ts')).validate(options)
      case 'status':
        return await (await import('./commands/control.ts')).status(options)
      case 'reload':
        return await (await import('./commands/control.ts')).reload(options)
      default:
        return await (await import('./commands/control.ts')).stop(options)
    }
  } catch (error) {
    if (!isKronError(error)) throw error
    printError(errorText(error))
    return FAILED
  }
}

/** Messages may quote file names and job names, which can hold control characters. */
const printError = (text: string): void => void process.stderr.write(visibleScreen(text))
