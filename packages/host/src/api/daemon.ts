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
   * `anybody`: reached the port without a token. `operator`: brought the token, or is root or krond's user on the control
   * socket. `user`: another user on the control socket, who sees and acts on jobs that run as that user.
   */
  readonly kind: 'anybody' | 'operator' | 'user'
  readonly user: string | null
  /** Whether commands, output and the audit log are shown. */
  readonly maySeeOutput: boolean
  /** Whether trigger, pause and resume are allowed. */
  readonly mayAct: boolean
  readonly mayReload: boolean
}
