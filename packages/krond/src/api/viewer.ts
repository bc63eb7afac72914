import { TOKEN_SCOPES, type TokenScope, type ViewerRecord } from '@kron/host/api'

/** The person or program that sends a request. `from` is for the audit log. */
export type Viewer =
  /** Reached a port of this machine: every local user can. */
  | { readonly kind: 'anybody'; readonly from: string }
  /** Brought krond's own token, or is root or the daemon's user on a socket. */
  | { readonly kind: 'operator'; readonly name: string; readonly uid: number | null; readonly from: string }
  /** Brought a further token, which allows no more than its scope. */
  | {
      readonly kind: 'token'
      readonly scope: TokenScope
      /** The name of the token, after the word `token`. */
      readonly name: string
      readonly uid: null
      readonly from: string
    }
  /** Another user on the control socket; the kernel vouches for the uid. */
  | { readonly kind: 'user'; readonly name: string; readonly uid: number; readonly from: string }

/** Whether a viewer may know that a job exists. `owner` is the uid that the job runs as. */
export const maySee = (viewer: Viewer, owner: number): boolean =>
  viewer.kind !== 'user' || viewer.uid === owner

/** Whether a viewer may see the command and output of a job. */
export const mayRead = (viewer: Viewer, owner: number): boolean =>
  viewer.kind !== 'anybody' && maySee(viewer, owner)

/** The kinds of requests, each with more rights than the one before. Only krond's own token has `full`. */
export type Scope = TokenScope | 'full'

const SCOPES: readonly Scope[] = [...TOKEN_SCOPES, 'full']

/** Whether the token of a viewer allows requests of a scope. Operators and users of the control socket need no token. */
export const hasScope = (viewer: Viewer, needed: Scope): boolean =>
  viewer.kind === 'token'
    ? SCOPES.indexOf(viewer.scope) >= SCOPES.indexOf(needed)
    : viewer.kind !== 'anybody' || needed === 'read'

/** Whether the routes let a viewer trigger, pause and resume a job. The console shows its buttons by this answer. */
export const mayAct = (viewer: Viewer, owner: number): boolean =>
  mayRead(viewer, owner) && hasScope(viewer, 'operate')

export const viewerRecord = (viewer: Viewer): ViewerRecord => ({
  kind: viewer.kind,
  user: viewer.kind === 'anybody' ? null : viewer.name,
  maySeeOutput: viewer.kind !== 'anybody',
  mayAct: hasScope(viewer, 'operate'),
  mayReload: viewer.kind === 'operator',
})
