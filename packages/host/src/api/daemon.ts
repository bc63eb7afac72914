/** The status of krond: `GET /api/v1/status`. */
export interface StatusRecord {
  readonly version: string
  readonly instance: string
  readonly host: string
  readonly pid: number
  readonly startedAt: string
  /** When a krond with this state directory first saw one of its jobs: earlier times are unknown. */
  readonly firstSeen: string
  readonly now: string
  readonly timeZoneData: string
  readonly jobs: number
  readonly running: number
  readonly waiting: number
  readonly refusedFiles: readonly string[]
  readonly startsStopped: boolean
  /** The last reload was refused, and no later one has succeeded. */
  readonly refusedReload: RefusedReload | null
  readonly configuration: number
}

export interface RefusedReload {
  readonly at: string
  readonly mistakes: number
}

/** The viewer who asks, and the viewer's permissions: `GET /api/v1/viewer`. */
export interface ViewerRecord {
  /**
   * `anybody`: reached the port without a token. `operator`: brought krond's own token, or is root or krond's user on the
   * control socket. `token`: brought a further token, whose scope decides. `user`: another user on the control socket, who
   * sees and acts on jobs that run as that user.
   */
  readonly kind: 'anybody' | 'operator' | 'token' | 'user'
  /** The user, `token`, or `token` and the name of a further token. */
  readonly user: string | null
  /** Whether commands, output and the audit log are shown. */
  readonly maySeeOutput: boolean
  /** Whether trigger, pause and resume are allowed. */
  readonly mayAct: boolean
  readonly mayReload: boolean
}

/**
 * The scopes of further tokens, each with all rights of the one before. `read` sees everything; `operate` may also trigger,
 * pause and resume.
 */
export const TOKEN_SCOPES = ['read', 'operate'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** A further token, without its secret. */
export interface TokenRecord {
  readonly name: string
  readonly scope: TokenScope
  readonly added: string
  /** The user who added it. */
  readonly by: string
}

/** The answer to the request for a new token: its secret is told only here. */
export interface AddedToken extends TokenRecord {
  readonly token: string
}

export interface TokenPage {
  readonly tokens: readonly TokenRecord[]
}
