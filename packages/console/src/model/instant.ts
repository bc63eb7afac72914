import { parseInstant } from '@kron/core'

/** Epoch seconds of an RFC 3339 text; undefined if there is none. */
export function secondsOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '') return undefined
  const instant = parseInstant(text)
  return instant.ok ? instant.value : undefined
}
