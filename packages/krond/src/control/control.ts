import type { ControlAnswer, ControlCommand, ControlRequest } from '@kron/host'
import type { ReloadResult } from '@kron/host/api'
import type { Viewer } from '../api/viewer.ts'
import type { Status } from './status.ts'

export interface ApiCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: unknown
}

export interface ControlActions {
  /** The daemon's own user. */
  readonly uid: number
  /** The name of a user. */
  userName(uid: number): string
  status(viewer: Viewer): Status
  reload(viewer: Viewer): Promise<ReloadResult>
  api(call: ApiCall, viewer: Viewer): Promise<ControlAnswer<unknown>>
  /** Reads or changes the crontab of the user with this uid. */
  crontab(command: Partial<CrontabCommand>, uid: number): ControlAnswer<unknown>
  /** Adds, lists or removes tokens, if the viewer may. */
  token(command: Readonly<Record<string, unknown>>, viewer: Viewer): Promise<ControlAnswer<unknown>>
}

export type CrontabCommand = Extract<ControlCommand, { request: 'crontab' }>

/** Answers a request; the uid of the peer, which the kernel vouches for, decides what it may see and do. */
export async function answerRequest(request: ControlRequest, actions: ControlActions): Promise<string> {
  return `${JSON.stringify(await answerTo(request.line, viewerOf(request, actions), actions))}\n`
}

function viewerOf({ uid, pid }: ControlRequest, actions: ControlActions): Viewer {
  const isOperator = uid === 0 || uid === actions.uid
  const from = `control socket, pid ${pid}`
  return { kind: isOperator ? 'operator' : 'user', uid, name: actions.userName(uid), from }
}

async function answerTo(
  line: string,
  viewer: Viewer,
  actions: ControlActions,
): Promise<ControlAnswer<unknown>> {
  let command: Partial<ControlCommand>
  try {
    command = JSON.parse(line) as Partial<ControlCommand>
  } catch {
    return { error: 'the request is not JSON', hint: 'send one line such as {"request":"status"}' }
  }
  switch (command?.request) {
    case 'status':
      return { ok: actions.status(viewer) }
    case 'reload':
      if (viewer.kind === 'operator') return { ok: await actions.reload(viewer) }
      return { error: 'only root and the user of krond may reload it' }
    case 'api': {
      const { method, path, body = {} } = command as Partial<ControlCommand & { request: 'api' }>
      if ((method !== 'GET' && method !== 'POST') || typeof path !== 'string')
        return { error: 'an api request needs a method and a path', status: 400 }
      return actions.api({ method, path, body }, viewer)
    }
    case 'crontab':
      if (!('uid' in viewer) || viewer.uid === null) return { error: 'only users of this host have crontabs' }
      return actions.crontab(command as Partial<CrontabCommand>, viewer.uid)
    case 'token':
      return actions.token({ ...command }, viewer)
    default:
      return { error: 'unknown request', hint: 'requests are: status, reload, api, crontab, token' }
  }
}
