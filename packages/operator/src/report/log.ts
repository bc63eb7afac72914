import { KronError } from '@kron/core'

export type Level = 'debug' | 'info' | 'warn' | 'error'

export type Log = (level: Level, event: string, fields?: Readonly<Record<string, unknown>>) => void

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/** Logs one JSON object per line. */
export const jsonLog =
  (write: (line: string) => void, least: Level = 'info'): Log =>
  (level, event, { error, ...fields } = {}) => {
    if (RANK[level] < RANK[least]) return
    const line = {
      time: new Date().toISOString(),
      level,
      component: 'kron-operator',
      event,
      ...fields,
      ...errorFields(error),
    }
    write(`${JSON.stringify(line)}\n`)
  }

function errorFields(error: unknown): Record<string, unknown> {
  if (error === undefined) return {}
  if (error instanceof KronError) {
    const { category, operation, message } = error
    return { error_type: category, operation, message }
  }
  return { error_type: 'SystemError', message: error instanceof Error ? error.message : String(error) }
}
