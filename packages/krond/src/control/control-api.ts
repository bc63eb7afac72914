import type { ControlAnswer } from '@kron/host'
import type { Viewer } from '../api/viewer.ts'
import { Refusal } from '../http/refusal.ts'
import { answer, findRoute } from '../http/routes.ts'
import type { Slices } from '../http/slices.ts'
import type { Subject } from '../http/subject.ts'
import type { ApiCall } from './control.ts'

/** Answers a request of the API that came over the control socket. */
export async function answerApi(
  { method, path, body }: ApiCall,
  viewer: Viewer,
  subject: Subject,
  slices: Slices,
): Promise<ControlAnswer<unknown>> {
  try {
    const { pathname, searchParams } = new URL(`http://krond${path.startsWith('/') ? path : `/${path}`}`)
    const run = slices.run.bind(slices)
    const asked = { parameters: searchParams, body, subject, run, viewer }
    return { ok: await answer(findRoute(method, pathname), asked) }
  } catch (error) {
    if (error instanceof Refusal) {
      const { status, message, hint } = error
      return { error: message, status, ...(hint === undefined ? {} : { hint }) }
    }
    if (error instanceof TypeError) return { error: 'this is not a path', status: 400 }
    throw error
  }
}
