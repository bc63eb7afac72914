import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Given, plural } from '@kron/cli'
import { askDaemon, parseJobFile, readJobFile } from '@kron/host'
import { socketsOf } from '../daemon.ts'
import { daemonStateDirectory, firstConfigDirectory, isReadByKrond } from '../daemon-places.ts'
import type { Host } from '../host.ts'
import { install, requireSafeDirectory } from '../install.ts'
import { hostWarnings } from '../lint/on-this-host.ts'
import { shellSyntaxFaults } from '../lint/shell-syntax.ts'
import { trustOf } from '../load.ts'
import { printJson } from '../print.ts'
import type { ADD } from '../program/change.ts'
import { BAD_INPUT, INVALID, OK, Refusal } from '../refusal.ts'
import { showFaults } from '../show-faults.ts'

export async function run(host: Host, options: Given<typeof ADD.options>): Promise<number> {
  if (options.file === undefined)
    throw new Refusal(BAD_INPUT, '--file is missing', 'krontab add --file backup.kron')
  const source = resolve(host.cwd, options.file)
  const target = join(directoryOf(host, options.to), basename(source))
  if (!target.endsWith('.kron')) {
    throw new Refusal(
      BAD_INPUT,
      `${basename(target)} is not called *.kron`,
      'krond reads only files that are',
    )
  }
  const read = readJobFile(source)
  if (!read.ok)
    throw new Refusal(
      read.fault.kind === 'malformed' ? INVALID : BAD_INPUT,
      `${options.file}: ${read.fault.message}`,
      read.fault.hint,
    )
  const { entries, faults } = parseJobFile(read.text, target)
  if (faults.length > 0) {
    showFaults(host, options.file, faults)
    throw new Refusal(INVALID, `${options.file} has ${plural(faults.length, 'error')} and was not installed`)
  }
  const doubtful = options.force ? [] : shellSyntaxFaults(entries, read.text)
  if (doubtful.length > 0) {
    showFaults(host, options.file, doubtful)
    throw new Refusal(
      INVALID,
      `${options.file} has ${plural(doubtful.length, 'command')} with shell syntax but without shell=true, and was not installed`,
      'add shell=true, or install it as it is with --force',
    )
  }
  const trust = trustOf(host)
  const before = textAt(target)
  const isUnchanged = before === read.text
  const isDryRun = options['dry-run']
  const willMakeDirectory = isDryRun && !existsSync(dirname(target)) && options.to === undefined
  if (!willMakeDirectory) requireSafeDirectory(target, trust)
  if (before !== undefined && !isUnchanged && !options.replace)
    throw new Refusal(BAD_INPUT, `${target} exists already`, 'use --replace to replace it')
  if (!isUnchanged && !isDryRun) {
    if (options.to === undefined) makeDirectory(host, dirname(target))
    await install({ path: target, text: read.text, replace: options.replace, trust })
  }
  const isUsedHere = isReadByKrond(host, target)
  for (const { rule, job, message, hint } of isUsedHere ? hostWarnings(entries, read.text) : [])
    host.err(`warning: ${job}: ${message} (${rule})\n  hint: ${hint}\n`)
  const jobs = entries.map(entry => entry.name)
  const change = isUnchanged ? 'unchanged' : before === undefined ? 'installed' : 'replaced'
  if (options.format === 'json') printJson(host, { installed: target, change, dryRun: isDryRun, jobs })
  else if (isUnchanged) host.out(`unchanged: ${target} with ${plural(jobs.length, 'job')}\n`)
  else if (isDryRun)
    host.out(`would be ${change}: ${target} with ${plural(jobs.length, 'job')}; nothing was written\n`)
  else host.out(`${change} ${target} with ${plural(jobs.length, 'job')}; krond reload takes it up\n`)
  if (options.to === undefined && host.uid !== 0) await warnWithoutDaemon(host, target)
  return OK
}

/** The system's krond does not read the files of users, so they need one of their own. */
async function warnWithoutDaemon(host: Host, target: string): Promise<void> {
  const places = { 'state-dir': daemonStateDirectory(host), 'runtime-dir': undefined }
  if ((await askDaemon(socketsOf(host, places), { request: 'status' })) !== undefined) return
  host.err(
    `warning: no krond of yours is running: nothing reads ${dirname(target)}\n  hint: krond start, or systemctl --user enable --now krond; root's jobs lie in /etc/krond.d\n`,
  )
}

function directoryOf(host: Host, to: string | undefined): string {
  if (to !== undefined) return resolve(host.cwd, to)
  return firstConfigDirectory(host)
}

/** Undefined if there is no such file, or none that can be read. */
function textAt(path: string): string | undefined {
  const read = readJobFile(path)
  if (read.ok) return read.text
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : ''
}

function makeDirectory(host: Host, directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: host.uid === 0 ? 0o755 : 0o700 })
  } catch (error) {
    throw new Refusal(BAD_INPUT, `cannot make the config directory ${directory}: ${(error as Error).message}`)
  }
}
