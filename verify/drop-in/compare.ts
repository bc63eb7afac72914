/** What cron's commands and mails met beside what krond's met: the table of differences. */
import type { Seen } from './stage.ts'

/** One property of a line that differs. */
export interface Difference {
  readonly line: string
  readonly property: string
  readonly cron: string
  readonly krond: string
  /** The difference that docs/guides/in-crons-place.md lists, if it is one of those. */
  readonly explanation: string | undefined
}

export interface Comparison {
  /** Lines that were started by one of the two. */
  readonly lines: number
  /** Lines about which one of the two sent mail. */
  readonly mailed: number
  readonly starts: { readonly cron: number; readonly krond: number }
  readonly mails: { readonly cron: number; readonly krond: number }
  readonly differences: readonly Difference[]
}

/** What is compared beside the minutes, each as one text. */
export const PROPERTIES: Readonly<Record<string, (seen: Seen) => string>> = {
  argv: seen => seen.argv.join('\n'),
  environment: seen => seen.environment.toSorted().join('\n'),
  cwd: seen => seen.cwd,
  uid: seen => seen.uid,
  gid: seen => seen.gid,
  groups: seen => seen.groups.toSorted((a, b) => a - b).join(' '),
  umask: seen => seen.umask,
  stdin: seen => JSON.stringify(seen.stdin),
  nice: seen => String(seen.nice),
  signals: seen => seen.signals,
  descriptors: seen => seen.descriptors.toSorted((a, b) => a - b).join(' '),
}

const MINUTE = 60

const minutesOf = (seen: readonly Seen[]): number[] =>
  seen.map(({ at }) => Math.floor(at / MINUTE) * MINUTE).toSorted((a, b) => a - b)

const printed = (minutes: readonly number[]): string =>
  minutes.map(at => new Date(at * 1000).toISOString().slice(0, 16)).join(' ') || 'never'

const distinct = (texts: readonly string[]): string => [...new Set(texts)].toSorted().join('\n---\n')

/** The line that a command belongs to. */
const lineOf = ({ argv }: Seen): string => argv[1] ?? '?'
/** The line that a mail is about, from its subject or its text. */
const subjectOf = ({ stdin }: Seen): string => /probe (\S+)/.exec(stdin)?.[1] ?? stdin.slice(0, 80)

/** Cron mails nobody about mistakes in a crontab. */
const isReport = (seen: Seen): boolean => / is ignored$/m.test(seen.stdin)

/** `skips` are the instants, in epoch seconds, at which the clock was set forward. */
export function compare(cron: readonly Seen[], krond: readonly Seen[], skips: readonly number[]): Comparison {
  const of = (kind: Seen['kind'], seen: readonly Seen[]): Seen[] =>
    seen.filter(each => each.kind === kind && !isReport(each))
  const [commands, mails] = (['command', 'mail'] as const).map(
    kind => [of(kind, cron), of(kind, krond)] as const,
  )
  const differences: Difference[] = []
  const [theirs, ours] = commands!.map(seen => Map.groupBy(seen, lineOf))
  const lines = new Set([...theirs!.keys(), ...ours!.keys()])
  for (const line of lines) {
    const [a, b] = [theirs!.get(line) ?? [], ours!.get(line) ?? []]
    differences.push(...differencesOfStarts(line, a, b, skips))
    if (a.length === 0 || b.length === 0) continue
    for (const [property, read] of Object.entries(PROPERTIES))
      differences.push(...differenceOf(line, property, distinct(a.map(read)), distinct(b.map(read))))
  }
  const [theirMails, ourMails] = mails!.map(seen => Map.groupBy(seen, subjectOf))
  const mailed = new Set([...theirMails!.keys(), ...ourMails!.keys()])
  for (const line of mailed) {
    const [a, b] = [theirMails!.get(line) ?? [], ourMails!.get(line) ?? []]
    const text = (seen: readonly Seen[]): string => distinct(seen.map(mailText))
    differences.push(...differenceOf(line, 'mail', text(a), text(b)))
    const isEquallyStarted = theirs!.get(line)?.length === ours!.get(line)?.length
    const [cron, krond] = [a, b].map(each => `${each.length} mails`)
    if (isEquallyStarted) differences.push(...differenceOf(line, 'number of mails', cron!, krond!))
  }
  return {
    lines: lines.size,
    mailed: mailed.size,
    starts: { cron: commands![0].length, krond: commands![1].length },
    mails: { cron: mails![0].length, krond: mails![1].length },
    differences,
  }
}

/** Who receives it, who sends it, and its text; `--` only ends the options. */
const mailText = ({ argv, uid, stdin }: Seen): string =>
  [
    argv
      .slice(1)
      .filter(word => word !== '--')
      .join(' '),
    `uid ${uid}`,
    stdin,
  ].join('\n')

function differencesOfStarts(
  line: string,
  a: readonly Seen[],
  b: readonly Seen[],
  skips: readonly number[],
): Difference[] {
  const [theirs, ours] = [minutesOf(a), minutesOf(b)]
  if (theirs.join() === ours.join()) return []
  const isMadeUp = once(theirs, skips).join() === ours.join()
  const explanation = isMadeUp ? 'times that the clock skips' : undefined
  return [{ line, property: 'start minute', cron: printed(theirs), krond: printed(ours), explanation }]
}

/** Cron makes up for skipped times one by one, ten seconds apart, in the first minutes after the skip. */
const MAKING_UP = 5 * MINUTE

/** The starts with those that make up for a skip drawn together to one, in the minute of the skip. */
function once(starts: readonly number[], skips: readonly number[]): number[] {
  const drawn = starts.map(at => skips.find(skip => at >= skip && at < skip + MAKING_UP) ?? at)
  return [...new Set(drawn)]
}

/** Lines that only one of two texts has. */
function only(text: string, other: string): string[] {
  const known = new Set(other.split('\n'))
  return text.split('\n').filter(line => !known.has(line))
}

function differenceOf(line: string, property: string, cron: string, krond: string): Difference[] {
  if (cron === krond) return []
  const [theirs, ours] = [only(cron, krond), only(krond, cron)]
  return [
    {
      line,
      property,
      cron: theirs.join(' | '),
      krond: ours.join(' | '),
      explanation: explanationOf(property, theirs, ours),
    },
  ]
}

const USER = /^(?:USER=|X-Cron-Env: <USER=)/
const MISSING_HOME = { cron: '/var/spool/cron', krond: '/' }

/** Knows the differences that the guide tells of. */
function explanationOf(
  property: string,
  theirs: readonly string[],
  ours: readonly string[],
): string | undefined {
  if (property === 'cwd' && theirs.join() === MISSING_HOME.cron && ours.join() === MISSING_HOME.krond)
    return 'a home directory that does not exist'
  if (property !== 'environment' && property !== 'mail') return undefined
  const [a, b] = [theirs, ours.filter(text => !USER.test(text))]
  if (a.length === 0 && b.length === 0) return 'USER'
  return a.join() === `PWD=${MISSING_HOME.cron}` && b.join() === `PWD=${MISSING_HOME.krond}`
    ? 'a home directory that does not exist'
    : undefined
}

/** The table: what was compared, on how many lines it is equal, differs as the guide says, or differs otherwise. */
export function table({ lines, mailed, differences }: Comparison): string {
  const rows = ['start minute', ...Object.keys(PROPERTIES), 'mail', 'number of mails'].map(property => {
    const found = differences.filter(each => each.property === property)
    const explained = found.filter(each => each.explanation !== undefined).length
    const all = /mail/.test(property) ? mailed : lines
    return [property, all - found.length, explained, found.length - explained]
  })
  const reasons = Map.groupBy(differences, each => `${each.property}: ${each.explanation ?? 'NOT EXPLAINED'}`)
  return [
    ['compared', 'equal', 'explained', 'not explained'],
    ...rows,
    ...[...reasons].map(([reason, { length }]) => [`${reason} (${length} lines)`]),
  ]
    .map(([first, ...cells]) =>
      [String(first).padEnd(16), ...cells.map(cell => String(cell).padStart(14))].join(''),
    )
    .join('\n')
}
