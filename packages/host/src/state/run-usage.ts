/**
 * The figures that the shim measures of a run, each with its name in the state file. Journal and API use the names of
 * the code; log events print these in snake_case.
 */
export const USAGE_KEYS = {
  userCpuMs: 'UserCPUMs',
  systemCpuMs: 'SystemCPUMs',
  /** Largest resident size of the command or of a child it waited for. */
  peakMemoryKib: 'PeakMemoryKiB',
  printedBytes: 'PrintedBytes',
  /** Bytes that were printed but are not in the kept copy. */
  droppedBytes: 'DroppedBytes',
} as const

type Keys = typeof USAGE_KEYS
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** The resources that a run used, and the size of its output. */
export type RunUsage = { readonly [Name in keyof Keys]: number }

/** The same in the API; null if it was not measured. */
export type UsageRecord = { readonly [Name in keyof Keys]: number | null }

/** The same in the state file; absent if it was not measured. */
export type HistoryUsage = { readonly [Name in keyof Keys as Keys[Name]]?: number }

const NAMES = Object.keys(USAGE_KEYS) as readonly (keyof Keys)[]

export function historyUsage(usage: RunUsage): HistoryUsage {
  const kept: Mutable<HistoryUsage> = {}
  for (const name of NAMES) kept[USAGE_KEYS[name]] = usage[name]
  return kept
}

export function usageOfHistory(kept: HistoryUsage): UsageRecord {
  const record = {} as Mutable<UsageRecord>
  for (const name of NAMES) record[name] = kept[USAGE_KEYS[name]] ?? null
  return record
}

/** `{}` stands for a run that was not measured. */
export function usageRecord(usage: Partial<RunUsage>): UsageRecord {
  const record = {} as Mutable<UsageRecord>
  for (const name of NAMES) record[name] = usage[name] ?? null
  return record
}
