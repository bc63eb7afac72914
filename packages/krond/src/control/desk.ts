import { type ControlAnswer, type ControlRequest, hostAccounts } from '@kron/host'
import type { ReloadResult } from '@kron/host/api'
import type { Viewer } from '../api/viewer.ts'
import type { Slices } from '../http/slices.ts'
import type { Subject } from '../http/subject.ts'
import { type ApiCall, answerRequest } from './control.ts'
import { answerCrontab } from './crontab.ts'
import type { Status } from './status.ts'
import { answerToken, type TokenOperations } from './tokens.ts'

export interface DeskParts {
  /** The daemon's own user. */
  readonly uid: number
  readonly status: (viewer: Viewer) => Status
  readonly reload: (viewer: Viewer) => Promise<ReloadResult>
  readonly tokens: TokenOperations
  /** The daemon as the API sees it; undefined until it has begun. */
  readonly subject: () => Subject | undefined
  /** The directory of users' crontabs; undefined: krond reads none. */
  readonly spool: string | undefined
  /** Resolves when no start is under way. The parts of `api` answers that `Slices` does wait for that; nothing else does. */
  readonly idle: () => Promise<void>
  /** Called for answers that failed for an unexpected reason. */
  readonly warn: (message: string) => void
}

/** Answers the requests that come over the control socket. */
export class ControlDesk {
  readonly #parts: DeskParts
  readonly #names = new Map<number, string>()
  #slices: Slices | undefined

  constructor(parts: DeskParts) {
    this.#parts = parts
  }

  async answer(request: ControlRequest): Promise<string> {
    const { uid, status, reload } = this.#parts
    try {
      return await answerRequest(request, {
        uid,
        status,
        reload,
        userName: uid => this.#userName(uid),
        api: (call, viewer) => this.#api(call, viewer),
        crontab: (command, uid) => answerCrontab(command, uid, this.#parts.spool),
        token: (command, viewer) => answerToken(command, viewer, this.#parts.tokens),
      })
    } catch (error) {
      this.#parts.warn((error as Error).stack ?? String(error))
      return `${JSON.stringify({ error: 'krond failed to answer', hint: 'see its log' })}\n`
    }
  }

  async #api(call: ApiCall, viewer: Viewer): Promise<ControlAnswer<unknown>> {
    const subject = this.#parts.subject()
    if (subject === undefined)
      return { error: 'krond is still starting', hint: 'try again in a second', status: 503 }
    // Loaded by the first request: most daemons never get one.
    const [{ answerApi }, { Slices }] = await Promise.all([
      import('./control-api.ts'),
      import('../http/slices.ts'),
    ])
    this.#slices ??= new Slices(this.#parts.idle)
    return answerApi(call, viewer, subject, this.#slices)
  }

  #userName(uid: number): string {
    const known = this.#names.get(uid)
    if (known !== undefined) return known
    const name = hostAccounts().findUser(String(uid))?.name ?? `uid ${uid}`
    this.#names.set(uid, name)
    return name
  }
}
