import { existsSync, fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { parseCalendar } from '@kron/calendar'
import { visibleScreen } from '@kron/cli'
import { ConfigurationError, caret, type KronError } from '@kron/core'
import {
  CrontabReader,
  configDirectory,
  hostAccounts,
  hostUsers,
  hostZones,
  type LiveSource,
  RunAs,
  readConf,
  Salting,
  thisPlace,
  together,
  UserJobFiles,
} from '@kron/host'
import { systemClock } from '@kron/runtime'
import { ScopedTokens } from '../api/scoped-tokens.ts'
import { account } from '../config/account.ts'
import { type Configuration, ConfigurationReader } from '../config/configuration.ts'
import { CrontabEntries } from '../config/crontab-entries.ts'
import { watchCrontabs } from '../config/crontab-watch.ts'
import { type DaemonOptions, resolveOptions, type Settings } from '../config/options.ts'
import { strictObjection } from '../config/strict.ts'
import { StartPriority } from '../effects/start-priority.ts'
import { makeHttpService } from '../http/make.ts'
import { CrontabMailer } from '../launch/crontab-mailer.ts'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import { linePrinter, makeLog, timestamp } from '../log/log.ts'
import { LogWriter } from '../log/log-writer.ts'
import { Krond, type KrondParts } from '../service/krond.ts'

const LONGEST_TIMER = 2 ** 31 - 1
/** How long an exit waits for a slow reader of the log. */
const LAST_WORDS_MS = 1_000

export type Seams = Pick<KrondParts, 'clock' | 'disk' | 'channel' | 'marksOfCron' | 'longestSearchMs'>

export function readOptions(flags: Settings): DaemonOptions {
  return resolveOptions(flags, readConf(), account())
}

export function makeReader(options: DaemonOptions): {
  readonly reader: ConfigurationReader
  readonly runAs: Pick<RunAs, 'of'>
  readonly crontabs: LiveSource
} {
  const { uid } = account()
  const gid = process.getgid?.() ?? 0
  const crontabReader = new CrontabReader(options.crontabs, { uid, gid })
  if (options.userJobFiles && uid !== 0)
    throw new ConfigurationError('user-job-files needs a krond that runs as root', {
      component: 'configuration',
      operation: 'read options',
    })
  const userFiles = options.userJobFiles ? [new UserJobFiles({ listUsers: () => hostUsers() })] : []
  const crontabs = together([...(crontabReader.hasSources ? [crontabReader] : []), ...userFiles])
  const makeRunAs = (): RunAs => new RunAs(hostAccounts(), uid === 0)
  let runAs = makeRunAs()
  const reader = new ConfigurationReader({
    paths: crontabs.hasSources ? options.config.filter(path => !isMissingDefault(path)) : options.config,
    crontabs,
    followSymlinks: options.followSymlinks,
    salting: new Salting(thisPlace(), options.salt),
    parseCalendar: (text, kind) => parseCalendar(text, kind, hostZones().find),
    uid,
    gid,
    makeCheck: () => {
      runAs = makeRunAs()
      return entry => runAs.check(entry) ?? (options.strict ? strictObjection(entry) : undefined)
    },
  })
  return { reader, runAs: { of: entry => runAs.of(entry) }, crontabs }
}

/** A daemon that runs crontabs needs no job files. */
const isMissingDefault = (path: string): boolean => path === configDirectory(account()) && !existsSync(path)

/** Prints every mistake of the configuration for a person. */
export function printErrors(errors: readonly KronError[]): string {
  return errors
    .map(({ place, identity, message, hint }) => {
      const job = identity === undefined ? '' : `${identity}: `
      const hasText = place !== undefined && place.source !== ''
      const where = place === undefined ? job : `${place.file}:${place.line}:${place.column}: `
      const under = hasText ? `\n${caret(place).replace(/^/gm, '  ')}` : ''
      return `error: ${where}${message}${under}${hint === undefined ? '' : `\n  hint: ${hint}`}\n`
    })
    .join('')
}

/** `seams`: where tests put another clock, disk or launcher under the real daemon. */
export async function start(flags: Settings, seams: Seams = {}): Promise<number> {
  const options = readOptions(flags)
  refuseToLeaveInContainer(options)
  const clock = seams.clock ?? systemClock
  const priority = new StartPriority(clock)
  const format = options.logFormat ?? (isatty(2) ? 'short' : 'text')
  const hasPriorities = isJournal()
  const printLine = linePrinter(format, hasPriorities)
  const writer = new LogWriter(2, lines => printLine(events.logDropped(lines), timestamp(clock.now())))
  const log = makeLog({
    format,
    hasPriorities,
    level: options.logLevel,
    now: () => clock.now(),
    write: (text, isJobOutput) => writer.write(text, isJobOutput),
    drop: lines => writer.drop(lines),
    later: flush => setImmediate(() => void priority.idle().then(flush)),
  })
  const { reader, runAs, crontabs } = makeReader(options)
  const configuration = reader.read()
  if (configuration.errors.length > 0 && !options.keepGoing) {
    process.stderr.write(visibleScreen(printErrors(configuration.errors)))
    process.stderr.write(
      `krond: not started: ${countOf(configuration)} (with --keep-going the other files would run)\n`,
    )
    return 1
  }
  const emit: Emit = event => {
    log.emit(event)
    http?.observe(event)
    mailer.observe(event)
  }
  const crontabEntries = new CrontabEntries(configuration)
  const mailer = new CrontabMailer({
    sendmail: options.sendmail,
    runsDir: `${options.stateDir}/runs`,
    emit: log.emit,
    findEntry: identity => crontabEntries.find(identity),
    identityOf: entry => runAs.of(entry),
  })
  reader.onRead = read => {
    crontabEntries.replace(read)
    mailer.tellOwners(read.refusedCrontabs, read.crontabErrors)
  }
  const furtherTokens = new ScopedTokens(options.stateDir, message => emit(events.warned('token', message)))
  const http = await makeHttpService(options, priority, furtherTokens, message =>
    emit(events.warned('answer', message)),
  )
  for (const error of [...configuration.errors, ...configuration.crontabErrors]) emit(events.failed(error))
  for (const message of configuration.warnings) emit(events.warned('weights', message))
  if (process.pid === 1)
    emit(events.warned('start', 'running as PID 1: orphans are not reaped; use an init such as tini'))
  mailer.tellOwners(configuration.refusedCrontabs, configuration.crontabErrors)
  const krond = new Krond({
    options,
    reader,
    runAs,
    emit,
    environment: { ...process.env },
    priority,
    furtherTokens,
    emitOutput: log.emit,
    ...seams,
    ...(http === undefined ? {} : { http }),
  })
  process.on('uncaughtException', error => krond.crash(error))
  // Keeps Node's event loop alive when no job has a timer.
  setInterval(() => {}, LONGEST_TIMER)
  const signals = handleSignals(krond)
  // A failed write may end krond before its start is complete.
  await Promise.race([krond.start(configuration).catch(error => krond.crash(error)), krond.over])
  signals.ready()
  const watch = watchCrontabs(crontabs, () => krond.reload(() => reader.readCrontabs()))
  const code = await krond.over
  clearInterval(watch)
  log.flush()
  await writer.drain(LAST_WORDS_MS)
  return code
}

/** Whether standard error is a stream of journald (systemd.exec(5), JOURNAL_STREAM). */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(2)
  return process.env['JOURNAL_STREAM'] === `${dev}:${ino}`
}

/** In a container, runs end together with the daemon, so the next daemon could not take them over. */
function refuseToLeaveInContainer({ stop }: DaemonOptions): void {
  const isContainer =
    existsSync('/.dockerenv') || existsSync('/run/.containerenv') || process.env['container']
  if (stop !== 'leave' || !isContainer) return
  throw new ConfigurationError('--stop leave cannot work in a container: running jobs end with it', {
    component: 'configuration',
    operation: 'read options',
    hint: 'use --stop wait or --stop terminate',
  })
}

const countOf = ({ errors }: Configuration): string =>
  `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`

/** Signals that arrive during the start are handled after it. */
function handleSignals(krond: Krond): { ready: () => void } {
  let ready = false
  let stopping = false
  let wanted: 'stop' | 'reload' | undefined
  const stop = (): void => {
    if (!ready) wanted = 'stop'
    else if (stopping) krond.abandon()
    else {
      stopping = true
      void krond.stop()
    }
  }
  const reload = (): void => {
    if (!ready) wanted ??= 'reload'
    else if (!stopping) void krond.reload()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', reload)
  return {
    ready: () => {
      ready = true
      if (wanted === 'stop') stop()
      if (wanted === 'reload') reload()
    },
  }
}
