/** A parser under attack. Inputs are texts; a parser of bytes takes each character for one. */
export interface Target {
  readonly seeds: readonly string[]
  /** Words of its language, to be put together at random. */
  readonly tokens: readonly string[]
  /** Characters an input has at most. */
  readonly longest?: number
  /** Repairs what random changes nearly always break, such as checksums. */
  mend?(input: string): string
  /** Throws when the parser breaks a promise. */
  run(input: string): void | Promise<void>
}

/** Every parser, with its share of the time. */
export const TARGETS: Readonly<Record<string, number>> = {
  cron: 40,
  'cron-posix': 25,
  duration: 40,
  instant: 40,
  schedule: 10,
  'job-file': 10,
  'job-bytes': 5,
  'state-file': 8,
  'state-record': 5,
  journal: 35,
  tzif: 15,
  crontab: 6,
  'live-crontab': 6,
  claim: 10,
  'shim-frames': 10,
  'control-message': 8,
  tokens: 8,
  'systemd-unit': 8,
  'cron-job': 15,
  'kron-job': 15,
  'http-request': 8,
  'http-bytes': 8,
  'task-record': 8,
  'log-line': 5,
  'krond-conf': 8,
  'console-route': 10,
  'event-stream': 8,
  ics: 4,
  'date-list': 15,
  weights: 25,
  hosts: 25,
}

export const loadTarget = async (name: string): Promise<Target> =>
  ((await import(new URL(`targets/${name}.ts`, import.meta.url).href)) as { target: Target }).target

export class BrokenPromiseError extends Error {}

/** The promises of the parser. */
export function must(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new BrokenPromiseError(`it must hold: ${promise}`)
}
