import { readFileSync } from 'node:fs'
import { caret, type KronError } from '@kron/core'
import type { Account } from '@kron/krontab/format'
import { type Configuration, ConfigurationReader } from '../configuration.ts'
import * as events from '../event.ts'
import { Host } from '../host.ts'
import { hostAccounts } from '../host-accounts.ts'
import { makeLog, writeTo } from '../log.ts'
import { CONF_FILE, type DaemonOptions, parseConf, resolveOptions, type Settings } from '../options.ts'
import { RunAs } from '../run-as.ts'
import { strictObjection } from '../strict.ts'

export const account = (): Account => ({ uid: process.getuid?.() ?? 0, env: process.env })

export function readOptions(flags: Settings): DaemonOptions {
  let conf: Settings = {}
  try {
    conf = parseConf(readFileSync(CONF_FILE, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return resolveOptions(flags, conf, account())
}

export function makeReader(options: DaemonOptions): { reader: ConfigurationReader; runAs: RunAs } {
  const { uid } = account()
  const runAs = new RunAs(hostAccounts, uid === 0)
  const reader = new ConfigurationReader({
    paths: options.config,
    followSymlinks: options.followSymlinks,
    uid,
    gid: process.getgid?.() ?? 0,
    check: entry => runAs.check(entry) ?? (options.strict ? strictObjection(entry) : undefined),
  })
  return { reader, runAs }
}

/** Every mistake of the configuration, for a person. */
export function printErrors(errors: readonly KronError[]): string {
  return errors
    .map(({ place, message, hint }) => {
      const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `
      const under = place === undefined ? '' : `\n${caret(place).replace(/^/gm, '  ')}`
      return `error: ${where}${message}${under}${hint === undefined ? '' : `\n  hint: ${hint}`}\n`
    })
    .join('')
}

export async function start(flags: Settings): Promise<number> {
  const options = readOptions(flags)
  const log = makeLog({
    format: options.logFormat,
    level: options.logLevel,
    now: Date.now,
    write: writeTo(2),
  })
  const { reader, runAs } = makeReader(options)
  const configuration = reader.read()
  if (configuration.errors.length > 0 && !options.keepGoing) {
    process.stderr.write(printErrors(configuration.errors))
    process.stderr.write(
      `krond: not started: ${countOf(configuration)} (with --keep-going the rest would run)\n`,
    )
    return 1
  }
  for (const error of configuration.errors) log.emit(events.failed(error))
  if (process.pid === 1)
    log.emit(events.warned('start', 'running as PID 1: orphans are not reaped; use an init such as tini'))
  const host = new Host({ options, reader, runAs, emit: log.emit, environment: process.env })
  const handle = handleSignals(host)
  await host.start(configuration)
  handle.ready()
  const code = await host.over
  log.flush()
  return code
}

const countOf = ({ errors }: Configuration): string =>
  `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`

/** Signals that come while it starts are heeded once it has. */
function handleSignals(host: Host): { ready: () => void } {
  let ready = false
  let stopping = false
  let wanted: 'stop' | 'reload' | undefined
  let reloading = Promise.resolve()
  const stop = (): void => {
    if (!ready) wanted = 'stop'
    else if (stopping) host.abandon()
    else {
      stopping = true
      void host.stop()
    }
  }
  const reload = (): void => {
    if (!ready) wanted ??= 'reload'
    else if (!stopping) reloading = reloading.then(() => host.reload())
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
