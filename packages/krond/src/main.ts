import { helpText, type Invocation, parseCommandLine, visibleScreen } from '@kron/cli'
import { isKronError } from '@kron/core'
import { hostZones } from '@kron/host'
import { KROND } from './cli.ts'
import { packageVersion } from './version.ts'

/** Runs one command line and returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const line = parseCommandLine(KROND, words)
  switch (line.kind) {
    case 'version':
      process.stdout.write(`${versionText()}\n`)
      return 0
    case 'help':
      process.stdout.write(helpText(KROND, line.command, process.stdout.columns ?? 100))
      return 0
    case 'mistake':
      process.stderr.write(visibleScreen(`error: ${line.message}\n  hint: ${line.hint}\n`))
      return 1
    case 'run':
      return runCommand(line)
  }
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
    process.stderr.write(
      visibleScreen(`error: ${error.message}\n${error.hint === undefined ? '' : `  hint: ${error.hint}\n`}`),
    )
    return 1
  }
}

function versionText(): string {
  const { node, icu = 'unknown' } = process.versions
  return `krond ${packageVersion()} (Node ${node}, ICU ${icu}, time zones: ${hostZones().source()})`
}
