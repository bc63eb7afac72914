import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { plural } from '@kron/cli'
import { askDaemon, parseJobFile, readJobFile } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { printJson } from '../context/print.ts'
import { BAD_INPUT, badInput, INVALID, OK, Refusal } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { socketsOf } from '../daemon/ask.ts'
import { daemonStateDirectory, firstConfigDirectory, isReadByKrond } from '../daemon/places.ts'
import { install, requireSafeDirectory } from '../job-files/install.ts'
import { trustOf } from '../job-files/load.ts'
import { showFaults } from '../job-files/show-faults.ts'
import { hostWarnings } from '../lint/on-this-host.ts'
import { shellSyntaxFaults } from '../lint/shell-syntax.ts'
import type { ADD } from '../program/edit-commands.ts'

export const run: Run<typeof ADD> = async (context, options) => {
  if (options.file === undefined) throw badInput('--file is missing', 'krontab add --file backup.kron')
  const source = resolve(context.cwd, options.file)
  const target = join(directoryOf(context, options.to), basename(source))
  if (!target.endsWith('.kron'))
    throw badInput(`${basename(target)} is not called *.kron`, 'krond reads only files that are')
  const read = readJobFile(source)
  if (!read.ok)
    throw new Refusal(
      read.fault.kind === 'malformed' ? INVALID : BAD_INPUT,
      `${options.file}: ${read.fault.message}`,
      read.fault.hint,
    )
  const { entries, faults } = parseJobFile(read.text, target)
  if (faults.length > 0) {
    showFaults(context, options.file, faults)
    throw new Refusal(INVALID, `${options.file} has ${plural(faults.length, 'error')} and was not installed`)
  }
  const doubtful = options.force ? [] : shellSyntaxFaults(entries, read.text)
  if (doubtful.length > 0) {
    showFaults(context, options.file, doubtful)
    throw new Refusal(
      INVALID,
      `${options.file} has ${plural(doubtful.length, 'command')} with shell syntax but without shell=true, and was not installed`,
      'add shell=true, or install it as it is with --force',
    )
  }
  const trust = trustOf(context)
  const before = textAt(target)
  const isUnchanged = before === read.text
  const isDryRun = options['dry-run']
  const willMakeDirectory = isDryRun && !existsSync(dirname(target)) && options.to === undefined
  if (!willMakeDirectory) requireSafeDirectory(target, trust)
  if (before !== undefined && !isUnchanged && !options.replace)
    throw badInput(`${target} exists already`, 'use --replace to replace it')
  if (!isUnchanged && !isDryRun) {
    if (options.to === undefined) makeDirectory(context, dirname(target))
    await install({ path: target, text: read.text, replace: options.replace, trust })
  }
  const isUsedHere = isReadByKrond(context, target)
  for (const { rule, job, message, hint } of isUsedHere ? hostWarnings(entries, read.text) : [])
    context.err(`warning: ${job}: ${message} (${rule})\n  hint: ${hint}\n`)
  const jobs = entries.map(entry => entry.name)
  const change = isUnchanged ? 'unchanged' : before === undefined ? 'installed' : 'replaced'
  if (options.format === 'json') printJson(context, { installed: target, change, dryRun: isDryRun, jobs })
  else if (isUnchanged) context.out(`unchanged: ${target} with ${plural(jobs.length, 'job')}\n`)
  else if (isDryRun)
    context.out(`would be ${change}: ${target} with ${plural(jobs.length, 'job')}; nothing was written\n`)
  else context.out(`${change} ${target} with ${plural(jobs.length, 'job')}; krond reload takes it up\n`)
  if (options.to === undefined && context.uid !== 0) await warnWithoutDaemon(context, target)
  return OK
}

/** The system's krond does not read the files of users, so they need one of their own. */
async function warnWithoutDaemon(context: CommandContext, target: string): Promise<void> {
  const places = { 'state-dir': daemonStateDirectory(context), 'runtime-dir': undefined }
  if ((await askDaemon(socketsOf(context, places), { request: 'status' })) !== undefined) return
  context.err(
    `warning: no krond of yours is running: nothing reads ${dirname(target)}\n  hint: krond start, or systemctl --user enable --now krond; root's jobs lie in /etc/krond.d\n`,
  )
}

function directoryOf(context: CommandContext, to: string | undefined): string {
  if (to !== undefined) return resolve(context.cwd, to)
  return firstConfigDirectory(context)
}

/** Undefined if there is no such file, or none that can be read. */
function textAt(path: string): string | undefined {
  const read = readJobFile(path)
  if (read.ok) return read.text
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : ''
}

function makeDirectory(context: CommandContext, directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: context.uid === 0 ? 0o755 : 0o700 })
  } catch (error) {
    throw badInput(`cannot make the config directory ${directory}: ${(error as Error).message}`)
  }
}
