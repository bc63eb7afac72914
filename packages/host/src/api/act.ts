/** A pause of one job or of all jobs: in force now, or planned. */
export interface PauseRecord {
  readonly id: string
  /** Null: all jobs. */
  readonly identity: string | null
  readonly from: string
  /** Null: until somebody resumes it. */
  readonly until: string | null
  readonly reason: string
  /** The user who asked for it; null for viewers who may not know. */
  readonly by: string | null
  readonly since: string
}

export interface PausePage {
  readonly pauses: readonly PauseRecord[]
}

/**
 * The body of `POST /api/v1/jobs/{identity}/pause` and of `POST /api/v1/pause`, which pauses all jobs. Without `from` the
 * pause begins now; without `until` it lasts until `resume`. Every POST needs the header `X-Kron-Request: 1`.
 */
export interface PauseRequest {
  readonly from?: string
  readonly until?: string
  readonly reason?: string
}

/** The answer to a pause: the number of periods that the job will lose, counted up to 1,000; null without an end. */
export interface PauseResult {
  readonly pause: PauseRecord
  readonly periods: number | null
}

/** The answer to `POST …/resume` and `POST /api/v1/resume`: how many pauses were ended, present and planned. */
export interface ResumeResult {
  readonly ended: number
}

/** The body of `POST /api/v1/jobs/{identity}/trigger`. A repeated request id runs at most once. */
export interface TriggerRequest {
  readonly requestId?: string
}

/** The answer to a trigger that started a run. A refused one is status 409 with `error` and `hint`. */
export interface TriggerResult {
  readonly runId: string
  readonly startedAt: string
  readonly pid: number
}

/**
 * The body of `POST /api/v1/jobs/{identity}/reset`: every period after `to`, which is now unless it is given, is
 * unhandled again. `force: "yes"` also forgets periods that were executed, or may have been.
 */
export interface ResetRequest {
  readonly to?: string
  readonly force?: 'yes'
}

/** The answer to a reset. A refused one is status 409 with `error` and `hint`. */
export interface ResetResult {
  readonly identity: string
  readonly to: string
  /** False: no period after `to` was handled. */
  readonly changed: boolean
  /** The periods whose outcomes no longer bind. */
  readonly forgotten: readonly string[]
}

/** The answer to `POST /api/v1/prune`: the identities of jobs that are gone, by the fate of their state. */
export interface PruneResult {
  readonly removed: readonly string[]
  readonly kept: readonly KeptStateRecord[]
}

export interface KeptStateRecord {
  readonly identity: string
  /** `open`: the window or the deadline of a handled period is not over. `journal`: krond must write the state first. */
  readonly why: 'running' | 'open' | 'journal'
  /** When it can be removed; null if that is unknown. */
  readonly until: string | null
}

/** The numbers of jobs that a reload added, changed, removed and left unchanged. */
export interface ReloadChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** The answer to `POST /api/v1/reload`. */
export type ReloadResult =
  | {
      readonly kind: 'applied'
      readonly changes: ReloadChanges
      readonly refusedFiles: readonly string[]
      /** Those of them that are job files of the administrator, not crontabs or files of users. */
      readonly refusedJobFiles: readonly string[]
    }
  /** The old configuration stays. */
  | { readonly kind: 'refused'; readonly mistakes: readonly string[] }

/** One line of the audit log: `GET /api/v1/audit`, newest first. */
export interface AuditRecord {
  readonly at: string
  /** The user, `token`, or `token` and the name of a further token. */
  readonly who: string
  readonly uid: number | null
  /** `control socket` with the PID of the caller, or the address of an HTTP client. */
  readonly from: string
  readonly action:
    | 'trigger'
    | 'pause'
    | 'resume'
    | 'reset'
    | 'prune'
    | 'reload'
    | 'notify test'
    | 'add token'
    | 'remove token'
  /** Null: all jobs, or the daemon. */
  readonly identity: string | null
  readonly detail: string
  readonly result: 'done' | 'refused'
}

export interface AuditPage {
  readonly entries: readonly AuditRecord[]
}

/** The answer to `POST /api/v1/jobs/{identity}/notify-test`: one line for each target and event. */
export interface NotifyTestPage {
  readonly results: readonly NotifyTestResult[]
}

export interface NotifyTestResult {
  /** The target, without the path of a webhook, which is often its password. */
  readonly target: string
  readonly event: string
  /** Null if the target accepted the message. */
  readonly error: string | null
}
