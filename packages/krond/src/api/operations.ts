import { randomUUID } from 'node:crypto'
import { LATEST, PausedJob, parseInstant, printInstant, upcoming } from '@kron/core'
import { type Entry, MOST_COUNTED_PERIODS, type Pause } from '@kron/host'
import type {
  AddedToken,
  AuditRecord,
  NotifyTestPage,
  NotifyTestResult,
  PauseRecord,
  PauseResult,
  PruneResult,
  ReloadResult,
  ResetResult,
  ResumeResult,
  TokenPage,
  TriggerResult,
} from '@kron/host/api'
import type { Actions } from '../driver/action.ts'
import { textFields } from '../http/body.ts'
import { Refusal } from '../http/refusal.ts'
import type { AuditLog } from './audit.ts'
import type { ScopedTokens, TokenRefusal } from './scoped-tokens.ts'
import type { Viewer } from './viewer.ts'

export interface OperationsParts {
  /** Undefined until the daemon has begun. */
  readonly actions: () => Actions | undefined
  readonly reload: () => Promise<ReloadResult>
  readonly prune: (dryRun: boolean) => Promise<PruneResult>
  readonly testNotifications: (entry: Entry) => Promise<readonly NotifyTestResult[]>
  readonly audit: AuditLog
  readonly tokens: ScopedTokens
  /** Epoch seconds. */
  readonly now: () => number
}

const LONGEST_REASON = 500
const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/

/** Operations on a running daemon, over HTTP or the control socket. Each act is in the audit log before its answer. */
export class Operations {
  readonly #parts: OperationsParts

  constructor(parts: OperationsParts) {
    this.#parts = parts
  }

  async trigger(viewer: Viewer, entry: Entry, body: unknown): Promise<TriggerResult> {
    const { requestId = randomUUID() } = textFields(body, ['requestId'])
    if (!REQUEST_ID.test(requestId))
      throw new Refusal(400, 'requestId must be 8 to 64 letters, digits and -', 'send a UUID')
    return this.#audited(viewer, 'trigger', entry.identity, `request ${requestId}`, async () => {
      const { identity } = entry
      const answer = await this.#actions.trigger({ requestId, identity, user: nameOf(viewer) })
      if (answer.kind === 'refused') throw new Refusal(409, answer.message, hintFor(answer.reason))
      return {
        runId: answer.executionId,
        pid: answer.pid,
        startedAt: printInstant(this.#parts.now()),
      }
    })
  }

  async pause(viewer: Viewer, entry: Entry | undefined, body: unknown): Promise<PauseResult> {
    const request = textFields(body, ['from', 'until', 'reason'])
    const [from, until] = [instantOf('from', request.from), instantOf('until', request.until)]
    const reason = request.reason ?? ''
    const now = this.#parts.now()
    if (reason.length > LONGEST_REASON) throw new Refusal(400, `the reason is longer than ${LONGEST_REASON}`)
    if (until !== undefined && until <= Math.max(now, from ?? now))
      throw new Refusal(400, 'the pause ends before it begins', 'until must be in the future, and after from')
    const detail = [request.from, request.until].some(each => each !== undefined)
      ? `from ${request.from ?? 'now'} until ${request.until ?? 'resumed'}: ${reason}`
      : reason
    return this.#audited(viewer, 'pause', entry?.identity ?? null, detail, async () => {
      const answer = await this.#actions.pause({
        ...(entry === undefined ? {} : { identity: entry.identity }),
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
        reason,
        user: nameOf(viewer),
      })
      if (answer.kind === 'refused') throw new Refusal(409, answer.message)
      const periods = entry === undefined ? null : periodsIn(entry, answer.pause, now)
      return { pause: pauseRecord(answer.pause, viewer), periods }
    })
  }

  async resume(viewer: Viewer, entry: Entry | undefined, body: unknown): Promise<ResumeResult> {
    textFields(body, [])
    return this.#audited(viewer, 'resume', entry?.identity ?? null, '', async () => {
      const request = entry === undefined ? ({ all: true } as const) : { identity: entry.identity }
      const ended = await this.#actions.resume(request)
      const others = this.pauses().filter(each => each.identity === null)
      if (ended.length === 0 && entry !== undefined && others.length > 0)
        throw new Refusal(409, 'all jobs are paused, not this one alone', 'krontab resume --all ends that')
      return { ended: ended.length }
    })
  }

  async reset(viewer: Viewer, { identity, name }: Entry, body: unknown): Promise<ResetResult> {
    const fields = textFields(body, ['to', 'force'])
    const now = this.#parts.now()
    const to = instantOf('to', fields.to) ?? now
    const force = isYes('force', fields.force)
    if (to > now)
      throw new Refusal(400, 'to is in the future', 'a job is reset to the past; krontab pause holds it back')
    const detail = `to ${printInstant(to)}${force ? ', by force' : ''}`
    return this.#audited(viewer, 'reset', identity, detail, async () => {
      const answer = await this.#actions.reset({ identity, to, force })
      switch (answer.kind) {
        case 'reset':
          return { identity, to: printInstant(to), changed: true, forgotten: answer.forgotten }
        case 'nothing':
          return { identity, to: printInstant(to), changed: false, forgotten: [] }
        case 'refused':
          throw new Refusal(
            409,
            `${name} ran, or may have run, after ${printInstant(to)}: ${answer.executed.join(', ')}`,
            '--force forgets that, and these periods may run a second time; a later --to spares them',
          )
        case 'unknown_job':
          throw new Refusal(404, `there is no job ${JSON.stringify(identity)}`)
        case 'busy':
          throw new Refusal(503, `the state of ${name} keeps changing`, 'try again in a second')
      }
    })
  }

  async prune(viewer: Viewer, body: unknown): Promise<PruneResult> {
    const dryRun = isYes('dryRun', textFields(body, ['dryRun']).dryRun)
    if (dryRun) return this.#parts.prune(true)
    const removed = ({ removed }: PruneResult): string => `removed ${removed.join(', ') || 'nothing'}`
    return this.#audited(viewer, 'prune', null, '', () => this.#parts.prune(false), removed)
  }

  async reload(viewer: Viewer, body: unknown): Promise<ReloadResult> {
    textFields(body, [])
    return this.#audited(viewer, 'reload', null, '', () => this.#parts.reload())
  }

  async testNotifications(viewer: Viewer, entry: Entry, body: unknown): Promise<NotifyTestPage> {
    textFields(body, [])
    return this.#audited(viewer, 'notify test', entry.identity, '', async () => {
      const results = await this.#parts.testNotifications(entry)
      if (results.length > 0) return { results }
      throw new Refusal(
        409,
        `${entry.name} tells nobody`,
        'give it notify=mail:ADDRESS, or set notify in krond.conf',
      )
    })
  }

  async addToken(viewer: Viewer, body: unknown): Promise<AddedToken> {
    const { name = '', scope = '' } = textFields(body, ['name', 'scope'])
    const [added, by] = [printInstant(this.#parts.now()), nameOf(viewer)]
    return this.#audited(viewer, 'add token', null, `${name}, scope ${scope}`, async () => {
      const answer = await this.#parts.tokens.add({ name, scope, added, by })
      if (typeof answer === 'string') throw tokenRefusal(answer, name)
      return { name, scope: scope as AddedToken['scope'], added, by, token: answer.secret }
    })
  }

  async removeToken(viewer: Viewer, body: unknown): Promise<TokenPage> {
    const { name = '' } = textFields(body, ['name'])
    return this.#audited(viewer, 'remove token', null, name, async () => {
      if (!(await this.#parts.tokens.remove(name)))
        throw new Refusal(404, `there is no token ${JSON.stringify(name)}`, 'see krontab token list')
      return this.tokens()
    })
  }

  tokens(): TokenPage {
    return { tokens: this.#parts.tokens.list() }
  }

  pauses(): readonly Pause[] {
    return this.#parts.actions()?.pauses() ?? []
  }

  auditLog(limit: number): readonly AuditRecord[] {
    return this.#parts.audit.list(limit)
  }

  get #actions(): Actions {
    const actions = this.#parts.actions()
    if (actions !== undefined) return actions
    throw new Refusal(503, 'krond is still starting', 'try again in a second')
  }

  async #audited<T>(
    viewer: Viewer,
    action: AuditRecord['action'],
    identity: string | null,
    detail: string,
    act: () => Promise<T>,
    resultDetail: (result: T) => string = () => '',
  ): Promise<T> {
    const record = (result: AuditRecord['result'], more = ''): AuditRecord => ({
      at: printInstant(this.#parts.now()),
      who: nameOf(viewer),
      uid: viewer.kind === 'anybody' ? null : viewer.uid,
      from: viewer.from,
      action,
      identity,
      detail: [detail, more].filter(each => each !== '').join('; '),
      result,
    })
    try {
      const result = await act()
      this.#parts.audit.add(record(isRefused(result) ? 'refused' : 'done', resultDetail(result)))
      return result
    } catch (error) {
      if (error instanceof Refusal) this.#parts.audit.add(record('refused', error.message))
      throw error
    }
  }
}

/** A reload that changes nothing is an answer, not an error. */
const isRefused = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'refused'

const nameOf = (viewer: Viewer): string => (viewer.kind === 'anybody' ? 'nobody' : viewer.name)

/** A pause as the API shows it; only some viewers may see who asked for it. */
export const pauseRecord = (pause: Pause, viewer: Viewer): PauseRecord => ({
  id: pause.id,
  identity: pause.identity,
  from: printInstant(pause.from),
  until: pause.until === null ? null : printInstant(pause.until),
  reason: viewer.kind === 'anybody' ? '' : pause.reason,
  by: viewer.kind === 'anybody' ? null : pause.user,
  since: printInstant(pause.at),
})

/** The number of periods that the pause costs; null if it has no end. */
function periodsIn(entry: Entry, pause: Pause, now: number): number | null {
  if (pause.until === null) return null
  const paused = new PausedJob(entry, [pause])
  let lost = 0
  for (const { chosen } of upcoming(entry, Math.max(pause.from, now))) {
    if (chosen === null) continue
    if (chosen >= pause.until || lost === MOST_COUNTED_PERIODS) break
    if (paused.startOf(chosen) === undefined) lost++
  }
  return lost
}

function isYes(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'yes') return text === 'yes'
  throw new Refusal(400, `${name} must be "yes" or absent`)
}

function instantOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (!instant.ok) throw new Refusal(400, `${name}: ${instant.faults[0]!.message}`, instant.faults[0]!.hint)
  if (instant.value > LATEST) throw new Refusal(400, `${name} is after ${printInstant(LATEST)}`)
  return instant.value
}

const HINTS: Readonly<Record<string, string>> = {
  concurrency: 'policy forbid: wait for the run that goes on, or end it',
  no_room: 'try again when another run has ended',
  repeated: 'send another request id for another run',
}

const hintFor = (reason: string): string | undefined => HINTS[reason]

function tokenRefusal(reason: TokenRefusal, name: string): Refusal {
  switch (reason) {
    case 'name':
      return new Refusal(
        400,
        `${JSON.stringify(name)} cannot be the name of a token`,
        'up to 63 letters, digits, dots, - and _',
      )
    case 'scope':
      return new Refusal(400, 'the scope must be read or operate')
    case 'exists':
      return new Refusal(409, `there is a token ${name} already`, `krontab token remove ${name} removes it`)
    case 'many':
      return new Refusal(409, 'there are too many tokens', 'krontab token remove removes one')
    case 'damaged':
      return new Refusal(
        409,
        'tokens.json in the state directory cannot be used',
        'its tokens are lost: remove the file, restart krond and add them anew',
      )
  }
}
