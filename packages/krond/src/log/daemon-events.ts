import { type Decision, type KronError, type Place, printInstant } from '@kron/core'
import type { OutcomeRecord, ReloadChanges } from '@kron/host/api'
import { type Component, makeEvent } from './make-event.ts'

export type { ReloadChanges as Changes } from '@kron/host/api'

/** A notification target has accepted a message. */
export const notified = (record: OutcomeRecord, about: string, target: string) =>
  makeEvent('info', 'daemon', 'notified', told(record, about, target))

/** The target did not accept the message; krond tries again for a day. */
export const notNotified = (record: OutcomeRecord, about: string, target: string, message: string) =>
  makeEvent('warn', 'daemon', 'notify_failed', { ...told(record, about, target), message })

const told = ({ identity, periodId }: OutcomeRecord, about: string, target: string) => ({
  identity,
  periodId: periodId ?? '',
  about,
  target,
})

export const stateCorrupt = (identity: string, movedTo: string) =>
  makeEvent('error', 'state', 'state_corrupt', { identity, movedTo })

/** The period of a damaged claim counts as started; a run with a damaged end record ended in an unknown way. */
export const traceDamaged = (file: string) =>
  warned('find earlier runs', `${file} is damaged: its run counts as executed, perhaps with an unknown end`)

/** Only the start is slower. */
export const summaryUnusable = () =>
  warned('read the summary', 'it is damaged or of another version; every state file is read')

/** The end of the journal could not be read, as after a power cut: runs of that moment are found by their claims. */
export const journalCut = (bytes: number) =>
  makeEvent('warn', 'state', 'journal_cut', {
    bytes,
    message: 'the last records of the journal were incomplete or spoiled, and were dropped',
  })

export const roomAgain = (freeBytes: number) => makeEvent('info', 'state', 'disk_room', { freeBytes })

export const loading = (jobs: number, done: number) => makeEvent('info', 'daemon', 'loading', { jobs, done })

export const startedDaemon = (jobs: number, adopted: number, refusedFiles: number, zoneData: string) =>
  makeEvent('info', 'daemon', 'started_daemon', { jobs, adopted, refusedFiles, zoneData })

export const listening = (address: string) => makeEvent('info', 'daemon', 'listening', { address })

export const waitingForLock = (path: string) =>
  warned('lock', `${path} is locked; waiting up to 10 s for an earlier krond to let go`)

/** The reader of the log was too slow, or jobs printed too many lines. */
export const logDropped = (lines: number) =>
  makeEvent('warn', 'daemon', 'log_dropped', {
    lines,
    message: 'the reader of the log did not keep up, or jobs printed too many lines; these lines are lost',
  })

/** An update of the host's time zone data is now in use. */
export const zonesChanged = (zones: readonly string[], zoneData: string, changed: number) =>
  makeEvent('info', 'configuration', 'zones_changed', { zones: zones.join(' '), zoneData, changed })

export const reloaded = (changes: ReloadChanges, refusedFiles: number) =>
  makeEvent('info', 'configuration', 'reload', { ...changes, refusedFiles })

export const reloadRefused = (errors: number) =>
  makeEvent('warn', 'configuration', 'reload', {
    errors,
    message: 'the new configuration has mistakes; the old one stays',
  })

export const stopping = (running: number, how: string) =>
  makeEvent('info', 'daemon', 'shutdown', { phase: 'stopping', running, how })

export const stopped = (leftRunning: number) =>
  makeEvent('info', 'daemon', 'shutdown', { phase: 'stopped', leftRunning })

export const warned = (operation: string, message: string) =>
  makeEvent('warn', 'daemon', 'warning', { operation, message })

/**
 * ERROR-MODEL.md's logging contract. A mistake in a job file is logged with its place and kind alone: the file may be
 * private, and logs and the feed have other readers. `krontab lint` and `krond validate` show the text.
 */
export const failed = (error: KronError, decision?: Decision) =>
  makeEvent('error', error.component as Component, 'error', {
    identity: error.identity ?? decision?.job.identity ?? '',
    periodId: error.periodId ?? (decision === undefined ? '' : printInstant(decision.nominal)),
    errorType: error.category,
    operation: error.operation,
    ...(error.place === undefined ? words(error) : placeOf(error.place, error.operation)),
  })

const words = ({ message, hint }: KronError) => ({ message, ...(hint === undefined ? {} : { hint }) })

const placeOf = ({ file = '', line = 1, column }: Place, operation: string) => ({
  ...(operation === 'parse crontab'
    ? { message: 'there is a mistake in this line of the crontab', hint: `krond validate shows it` }
    : {
        message: 'there is a mistake in this line of the job file',
        hint: `krontab lint --file ${file} shows it`,
      }),
  file,
  line,
  column,
})
