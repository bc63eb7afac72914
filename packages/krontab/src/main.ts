import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorText, type Invocation, runProgram, visibleScreen } from '@kron/cli'
import { Calendars, calendarDirectory, configDirectory, hostZones } from '@kron/host'
import { COMMANDS } from './commands.ts'
import type { CommandContext } from './context/command-context.ts'
import { BAD_INPUT, isRefusal } from './context/refusal.ts'
import { KRONTAB } from './program/program.ts'
import { versionOf } from './version.ts'

/** Runs one command line and returns the exit code. */
export function main(words: readonly string[], outside: CommandContext): Promise<number> {
  const { out, err, terminal } = guarded(outside)
  return runProgram(KRONTAB, words, {
    out,
    err,
    width: terminal.width,
    version: () => versionOf('krontab'),
    mistakeCode: BAD_INPUT,
    run: line => runCommand(line, outside),
  })
}

async function runCommand(
  { command, options, arguments: words }: Invocation,
  outside: CommandContext,
): Promise<number> {
  const { load, needs } = COMMANDS.find(each => each.command === command)!
  const complete = needs === 'ownCrontab' ? await withOwnCrontab(outside, options) : outside
  const named = [options['file'], words].flat()
  const context = guarded(await withCalendars(complete, needs === 'calendars', named))
  const { run } = await load()
  try {
    return await run(context, options as never, words)
  } catch (error) {
    if (!isRefusal(error)) throw error
    context.err(errorText(error))
    return error.code
  }
}

/** Without named files, the user's own crontab counts, too. */
async function withOwnCrontab(
  context: CommandContext,
  options: Readonly<Record<string, unknown>>,
): Promise<CommandContext> {
  const isNamed = ['file', 'system-crontab', 'user-crontabs'].some(
    name => Array.isArray(options[name]) && options[name].length > 0,
  )
  if (context.uid === 0 || isNamed) return context
  const { ownCrontabEntries } = await import('./job-files/own-crontab.ts')
  return { ...context, ownCrontab: await ownCrontabEntries(context) }
}

/** The calendar parser takes milliseconds to load, so it is loaded only if there are calendars. */
async function withCalendars(
  context: CommandContext,
  readsAny: boolean,
  named: readonly unknown[],
): Promise<CommandContext> {
  // A word that is no file makes no difference: at worst, the parser is loaded in vain.
  const files = named.filter(each => typeof each === 'string')
  const directories = files.map(each => dirname(resolve(context.cwd, each)))
  const hasSome = [configDirectory(context), ...directories].some(each => existsSync(calendarDirectory(each)))
  if (!hasSome && !readsAny) return context
  const { parseCalendar } = await import('./commands/calendar-parser.ts')
  return {
    ...context,
    calendars: new Calendars((text, kind) => parseCalendar(text, kind, hostZones().find)),
  }
}

/** Names, descriptions, paths and states come from files: the terminal gets only plain text and our own colours. */
const guarded = (context: CommandContext): CommandContext => ({
  ...context,
  out: text => context.out(visibleScreen(text)),
  err: text => context.err(visibleScreen(text)),
})
