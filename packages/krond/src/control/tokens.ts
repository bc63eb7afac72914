import type { ControlAnswer } from '@kron/host'
import type { Operations } from '../api/operations.ts'
import type { Viewer } from '../api/viewer.ts'
import { Refusal } from '../http/refusal.ts'

export type TokenOperations = Pick<Operations, 'addToken' | 'removeToken' | 'tokens'>

/**
 * Adds, lists and removes tokens. Only root and krond's user may, and only here: over HTTP no token, stolen or lent, can
 * make another.
 */
export async function answerToken(
  { action, name, scope }: Readonly<Record<string, unknown>>,
  viewer: Viewer,
  operations: TokenOperations,
): Promise<ControlAnswer<unknown>> {
  if (viewer.kind !== 'operator') return { error: "only root and krond's user manage tokens", status: 403 }
  try {
    switch (action) {
      case 'add':
        return { ok: await operations.addToken(viewer, { name, scope }) }
      case 'remove':
        return { ok: await operations.removeToken(viewer, { name }) }
      case 'list':
        return { ok: operations.tokens() }
      default:
        return { error: 'unknown action', hint: 'actions are: add, list, remove', status: 400 }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, message, hint } = error
    return { error: message, status, ...(hint === undefined ? {} : { hint }) }
  }
}
