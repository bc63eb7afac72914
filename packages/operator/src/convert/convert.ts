import { type Remark, Remarks } from '@kron/cli'
import { CRON_MACROS, compareStarts, type Equivalence, quote } from '@kron/core'
import { type Document, isMap, LineCounter, stringify } from 'yaml'
import { jobOf, parseSpec } from '../manifest/parse.ts'
import { duplicateKey, plainValue, yamlDocuments, yamlProblem } from '../manifest/yaml-documents.ts'
import { convertCronJob, type KronJobManifest } from './cron-job.ts'
import { cronJobStarts } from './cron-job-starts.ts'

export interface NewManifest {
  readonly manifest: KronJobManifest
  readonly equivalence: Equivalence
}

export interface NewManifests {
  readonly text: string
  readonly manifests: readonly NewManifest[]
  readonly remarks: readonly Remark[]
}

/** Turns every CronJob of a YAML text into a KronJob and compares their starts from `from` on. Keeps all else. */
export function convertCronJobs(file: string, text: string, from: number): NewManifests {
  const lines = new LineCounter()
  const remarks = new Remarks(file)
  const manifests: NewManifest[] = []
  const texts: string[] = []
  for (const document of yamlDocuments(text, lines, message => remarks.lost(1, message))) {
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
    const value = objectIn(document)
    if (value === null) continue
    if (value === undefined || !isMap(document.contents)) {
      remarks.lost(line, 'it is not a Kubernetes object')
      continue
    }
    const { kind, items } = value as Record<string, unknown>
    const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
    for (const object of isList ? items : [value]) {
      const made = isCronJob(object) ? convertOne(object, line, remarks, from) : undefined
      try {
        texts.push(
          made !== undefined || isList
            ? printed(made?.manifest ?? object)
            : String(document).replace(/^---\n/, ''),
        )
        if (made !== undefined) manifests.push(made)
      } catch (error) {
        // The parser takes anchors and depths that the printer refuses.
        remarks.lost(line, `it cannot be printed: ${yamlProblem((error as Error).message)}`)
      }
    }
  }
  const notes = remarks.list.map(
    each => `# ${each.kind}: line ${each.line}: ${each.message.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?')}\n`,
  )
  return { text: notes.join('') + texts.join('---\n'), manifests, remarks: remarks.list }
}

/** A text whose aliases are undefined or nested too deeply is not a manifest. */
function objectIn(document: Pick<Document, 'toJS'>): unknown {
  try {
    return plainValue(document)
  } catch {
    return undefined
  }
}

const printed = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false })

interface CronJob {
  readonly metadata?: { readonly name?: unknown } | null
  readonly spec?: Readonly<Record<string, unknown>> | null
}

const isCronJob = (object: unknown): object is CronJob =>
  typeof object === 'object' && object !== null && (object as { kind?: unknown }).kind === 'CronJob'

function convertOne(cronJob: CronJob, line: number, remarks: Remarks, from: number): NewManifest | undefined {
  const name = cronJob.metadata?.name
  const isNamed = typeof name === 'string' && name !== ''
  if (!isNamed || !isReadable(cronJob.spec))
    return remarks.lost(
      line,
      `CronJob ${isNamed ? name : 'without a name'}: name, schedule and jobTemplate must be there, each of its kind`,
    )
  const conversion = convertCronJob(cronJob)
  if (!conversion.ok) {
    for (const fault of conversion.faults) remarks.lost(line, `${name}: not converted: ${fault}`)
    return undefined
  }
  const { manifest } = conversion
  for (const message of conversion.remarks) remarks.changed(line, `${name}: ${message}`)
  const read = parseSpec(manifest.spec)
  if (!read.ok) return undefined
  const { timezone = 'UTC' } = manifest.spec
  const fields = fieldsOf(String(cronJob.spec?.['schedule']))
  const starts = (after: number, until: number) => cronJobStarts(fields, timezone, after, until)
  const job = jobOf(`default/${manifest.metadata.name}`, read.schedule)
  return { manifest, equivalence: compareStarts(job, { zone: timezone, starts }, from) }
}

/** Whether the fields that the converter reads have the right types. */
function isReadable(spec: CronJob['spec']): boolean {
  if (typeof spec !== 'object' || spec === null) return false
  const { schedule, timeZone, concurrencyPolicy, startingDeadlineSeconds, jobTemplate } = spec
  const optional = (value: unknown, type: string): boolean =>
    (value ?? undefined) === undefined || typeof value === type
  return (
    typeof schedule === 'string' &&
    optional(timeZone, 'string') &&
    optional(concurrencyPolicy, 'string') &&
    optional(startingDeadlineSeconds, 'number') &&
    typeof jobTemplate === 'object' &&
    jobTemplate !== null
  )
}

function fieldsOf(schedule: string): string[] {
  const bare = schedule.replace(/^\s*(?:CRON_)?TZ=\S+\s+/, '').trim()
  return (CRON_MACROS.get(bare) ?? bare).split(/\s+/)
}
