import { type ChildProcess, spawn } from 'node:child_process'
import { hostname } from 'node:os'
import type { KronError } from '@kron/core'
import {
  type CrontabEntry,
  type Mail,
  mailOfMistakes,
  mailOfRun,
  type RefusedCrontab,
  type RunAccount,
  readKeptOutput,
} from '@kron/host'
import type { Emit, Event } from '../log/event.ts'
import * as events from '../log/event.ts'

export interface CrontabMailerParts {
  /** The program that sends mails, as sendmail(8) does. */
  readonly sendmail: string
  readonly runsDir: string
  readonly emit: Emit
  findEntry(identity: string): CrontabEntry | undefined
  /** Undefined: the daemon's own user. */
  identityOf(entry: CrontabEntry): RunAccount | undefined
}

/** Mails the output of crontab jobs, as cron does, and mistakes of crontabs to their owners. */
export class CrontabMailer {
  readonly #parts: CrontabMailerParts
  /** By path, the mistakes that were already mailed to the owner. */
  readonly #told = new Map<string, string>()

  constructor(parts: CrontabMailerParts) {
    this.#parts = parts
  }

  observe(event: Event): void {
    if (event.event !== 'finished') return
    const { findEntry, identityOf, runsDir } = this.#parts
    const entry = findEntry(event.identity)
    if (entry === undefined || entry.crontab.mail === null) return
    const output = readKeptOutput(`${runsDir}/${event.executionId}.output`)
    const mail = output && mailOfRun(entry, output, hostname())
    if (mail !== undefined) this.#send(mail, identityOf(entry), entry.identity)
  }

  /**
   * Mails the owner of each ignored crontab. The same mistakes are mailed again only if they changed in between, or by
   * the next daemon.
   */
  tellOwners(refused: readonly RefusedCrontab[], errors: readonly KronError[]): void {
    const broken = new Set(refused.map(({ path }) => path))
    for (const path of this.#told.keys()) if (!broken.has(path)) this.#told.delete(path)
    for (const { path, owner } of refused) {
      const mistakes = errors.flatMap(({ place, message }) => {
        if (place?.file === path) return [`line ${place.line}: ${message}`]
        return place === undefined && message.startsWith(`${path}: `) ? [message] : []
      })
      if (this.#told.get(path) === mistakes.join('\n')) continue
      this.#told.set(path, mistakes.join('\n'))
      this.#send(mailOfMistakes(owner ?? 'root', path, mistakes, hostname()), undefined, path)
    }
  }

  /** Runs as the user, who could send the same mail without krond. */
  #send({ to, message }: Mail, identity: RunAccount | undefined, about: string): void {
    const { sendmail, emit } = this.#parts
    const failed = (why: string): void => emit(events.warned('mail', `no mail about ${about}: ${why}`))
    if (to.length === 0) return failed('MAILTO holds no address that is safe to pass on')
    const child: ChildProcess = spawn(
      sendmail,
      ['-FCronDaemon', '-i', '-B8BITMIME', '-oem', '--', to.join(',')],
      {
        cwd: '/',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        stdio: ['pipe', 'ignore', 'ignore'],
        ...(identity === undefined ? {} : { uid: identity.uid, gid: identity.gid }),
      },
    )
    child.on('error', error => failed(`${sendmail} cannot be run (${error.message})`))
    child.on('exit', (code, signal) => {
      if (code !== 0) failed(`${sendmail} ended with ${signal ?? `status ${code}`}`)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(message)
  }
}
