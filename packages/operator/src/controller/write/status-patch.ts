import { isDeepStrictEqual } from 'node:util'
import type { KronJobStatus } from '../../manifest/kronjob.ts'

/** The JSON merge patch that turns one status into the other. Undefined if they are equal. */
export function statusPatch(
  before: KronJobStatus,
  after: KronJobStatus,
): Record<string, unknown> | undefined {
  const old = before as Record<string, unknown>
  const patch: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(after)) {
    if (!isDeepStrictEqual(old[key], value)) patch[key] = withoutStale(old[key], value)
  }
  for (const key of Object.keys(old)) if (!(key in after)) patch[key] = null
  return Object.keys(patch).length === 0 ? undefined : patch
}

/** Sets removed keys to null, because a merge patch keeps the keys that it does not name. */
function withoutStale(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after
  const gone = Object.keys(before).filter(key => !(key in after))
  return { ...after, ...Object.fromEntries(gone.map(key => [key, null])) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
