import { duplicateKey, type Remark, Remarks, yamlExcess, yamlProblem } from '@kron/cli'
import { compareStarts, type Equivalence, findZone, type Job, parseSchedule, quote } from '@kron/core'
import { type Document, isMap, Lexer, LineCounter, parseAllDocuments, stringify } from 'yaml'
import type { JobTemplate } from '../manifest/kronjob.ts'
import { type CronJob, kronJobOf } from './cron-job.ts'
import { cronJobStarts } from './cron-job-starts.ts'

export type Manifest = ReturnType<typeof kronJobOf<JobTemplate>>['manifest']

export interface NewManifest {
  readonly manifest: Manifest
  readonly equivalence: Equivalence
}

export interface NewManifests {
  readonly text: string
  readonly manifests: readonly NewManifest[]
  readonly remarks: readonly Remark[]
}

/** Every CronJob of a YAML text as a KronJob, compared from an instant on. */
export function convertCronJobs(file: string, text: string, from: number): NewManifests {
  const lines = new LineCounter()
  const remarks = new Remarks(file)
  const manifests: NewManifest[] = []
  for (const document of documentsIn(text, lines, remarks)) {
    const line = lines.linePos(document.contents?.range?.[0] ?? document.range[0]).line
    const broken = document.errors[0]
    if (broken !== undefined) {
      remarks.lost(lines.linePos(broken.pos[0]).line, `it is not YAML: ${yamlProblem(broken.message)}`)
      continue
    }
    const twice = duplicateKey(document.contents)
    if (twice !== undefined) {
      remarks.lost(lines.linePos(twice.at).line, `the key ${quote(twice.key)} is there twice`)
      continue
    }
    const value = plainValue(document)
    if (value === null) continue
    if (value === undefined || !isMap(document.contents)) {
      remarks.lost(line, 'it is not a Kubernetes object')
      continue
    }
    const { kind, items } = value as Record<string, unknown>
    for (const object of kind === 'List' && Array.isArray(items) ? items : [value]) {
      const made = convertOne(object, line, remarks, from)
      if (made !== undefined) manifests.push(made)
    }
  }
  const yaml = manifests.map(({ manifest }) => stringify(manifest, { aliasDuplicateObjects: false }))
  const notes = remarks.list.map(
    each => `# ${each.kind}: line ${each.line}: ${each.message.replace(/\p{Cc}/gu, '?')}\n`,
  )
  return { text: notes.join('') + yaml.join('---\n'), manifests, remarks: remarks.list }
}

/** The documents of a text; of one that would take too long to read none, and a remark. */
function documentsIn(text: string, lineCounter: LineCounter, remarks: Remarks): readonly Document.Parsed[] {
  const excess = yamlExcess(text, each => new Lexer().lex(each))
  if (excess !== undefined) {
    remarks.lost(1, excess)
    return []
  }
  try {
    const documents = parseAllDocuments(text, { lineCounter, logLevel: 'silent', uniqueKeys: false })
    return Array.isArray(documents) ? documents : []
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    remarks.lost(1, 'it is nested too deeply')
    return []
  }
}

/** Aliases may lead nowhere or nest beyond all measure; such a text is no manifest. */
function plainValue(document: Pick<Document, 'toJS'>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    return undefined
  }
}

function convertOne(object: unknown, line: number, remarks: Remarks, from: number): NewManifest | undefined {
  const { kind, metadata, spec } = (object ?? {}) as Record<string, unknown>
  const name = (metadata as { name?: unknown } | null | undefined)?.name
  const isNamed = typeof name === 'string' && name !== ''
  const label = isNamed ? name : 'without a name'
  if (kind !== 'CronJob')
    return remarks.lost(line, `${typeof kind === 'string' ? kind : 'object'} ${label} is not a CronJob`)
  if (!isCronJob(spec) || !isNamed)
    return remarks.lost(
      line,
      `CronJob ${label}: name, schedule and jobTemplate must be there, each of its kind`,
    )
  const cronJob = object as CronJob<JobTemplate>
  const { manifest, remarks: said } = kronJobOf(cronJob)
  for (const message of said) remarks.changed(line, `${name}: ${message}`)
  if (!/^[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?$/.test(name))
    remarks.lost(line, `${name}: a KronJob's name is a DNS label of at most 52 characters: rename it`)
  const { schedule, timezone, policy } = manifest.spec
  if (findZone(timezone) === undefined)
    return remarks.lost(line, `${name}: ${quote(timezone)} is not a time zone`)
  const read = parseSchedule(
    `${schedule} @tz(${timezone}) @policy(concurrency=${policy.concurrency},deadline=${policy.deadline})`,
  )
  if (!read.ok) return remarks.lost(line, `${name}: ${read.faults[0]!.message}`)
  const fields = fieldsOf(cronJob.spec!.schedule!)
  const starts = (after: number, until: number) => cronJobStarts(fields, timezone, after, until)
  const job: Job = { identity: `default/${name}`, schedule: read.value }
  return { manifest, equivalence: compareStarts(job, { zone: timezone, starts }, from) }
}

function isCronJob(spec: unknown): boolean {
  if (typeof spec !== 'object' || spec === null) return false
  const { schedule, timeZone, concurrencyPolicy, startingDeadlineSeconds, jobTemplate } = spec as Record<
    string,
    unknown
  >
  const optional = (value: unknown, type: string): boolean => value === undefined || typeof value === type
  return (
    typeof schedule === 'string' &&
    optional(timeZone, 'string') &&
    optional(concurrencyPolicy, 'string') &&
    optional(startingDeadlineSeconds, 'number') &&
    typeof jobTemplate === 'object' &&
    jobTemplate !== null
  )
}

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

function fieldsOf(schedule: string): string[] {
  const bare = schedule.replace(/^\s*(?:CRON_)?TZ=\S+\s+/, '').trim()
  return (MACROS[bare] ?? bare).split(/\s+/)
}
