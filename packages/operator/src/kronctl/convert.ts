import type { Given } from '@kron/runtime/cli'
import { stringify } from 'yaml'
import { checkManifest } from '../manifest/check.ts'
import { readManifests } from '../manifest/document.ts'
import { API_VERSION, type JobTemplate } from '../manifest/kronjob.ts'
import type { CONVERT_OPTIONS } from './command.ts'
import { Complaint, type Terminal } from './terminal.ts'

interface CronJob {
  readonly kind?: string
  readonly metadata?: {
    readonly name?: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: {
    readonly schedule?: string
    readonly timeZone?: string
    readonly concurrencyPolicy?: string
    readonly startingDeadlineSeconds?: number
    readonly suspend?: boolean
    readonly successfulJobsHistoryLimit?: number
    readonly failedJobsHistoryLimit?: number
    readonly jobTemplate?: JobTemplate
  }
}

/** CronJobs as KronJobs that start at the same minutes; what changes is said on standard error. */
export function runConvert({ filename }: Given<typeof CONVERT_OPTIONS>, terminal: Terminal): number {
  if (filename.length === 0) throw new Complaint('give a CronJob manifest with -f')
  const texts: string[] = []
  let bad = 0
  for (const file of filename) {
    const { documents, errors } = readManifests(file, terminal.read(file))
    if (errors.length > 0) throw new Complaint(errors.join('\n'))
    for (const { value } of documents) {
      if ((value as CronJob).kind !== 'CronJob') continue
      const { manifest, remarks } = convert(value as CronJob)
      const { faults } = checkManifest(manifest, 'default')
      for (const remark of remarks) terminal.error(`${file}: ${manifest.metadata.name}: ${remark}\n`)
      for (const { path, message } of faults)
        terminal.error(`${file}: ${manifest.metadata.name}: ${path}: ${message}\n`)
      bad += faults.length
      texts.push(stringify(manifest, { aliasDuplicateObjects: false }))
    }
  }
  if (texts.length === 0) throw new Complaint('there is no CronJob in it')
  terminal.out(texts.join('---\n'))
  return bad === 0 ? 0 : 1
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const LONGEST_DEADLINE = 744 * 3600

export function convert({ metadata = {}, spec = {} }: CronJob) {
  const remarks: string[] = []
  const { schedule = '', timeZone, concurrencyPolicy = 'Allow', startingDeadlineSeconds, suspend } = spec
  const zone = /^\s*(?:CRON_)?TZ=(\S+)\s+/.exec(schedule)
  if (timeZone === undefined && zone === null) {
    remarks.push(
      "no timeZone: the controller manager's own zone applied, UTC applies now; set spec.timezone if they differ",
    )
  }
  const cron = schedule.replace(/^\s*(?:CRON_)?TZ=\S+\s+/, '').replaceAll('?', '*')
  if (/^@every\b/.test(cron))
    remarks.push('@every counts from the start of the controller; write it as cron fields')
  if (startingDeadlineSeconds === undefined) {
    remarks.push(
      'no startingDeadlineSeconds: the latest missed start was made up for however late; the deadline is 744h now',
    )
  }
  const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations ?? {}
  const manifest = {
    apiVersion: API_VERSION,
    kind: 'KronJob',
    metadata: {
      name: metadata.name ?? '',
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...(metadata.labels && { labels: metadata.labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      schedule: cron,
      timezone: timeZone ?? zone?.[1] ?? 'UTC',
      policy: {
        concurrency: concurrencyPolicy.toLowerCase(),
        deadline: durationOf(Math.min(startingDeadlineSeconds ?? LONGEST_DEADLINE, LONGEST_DEADLINE)),
        ...(suspend && { suspend }),
      },
      history: { successful: spec.successfulJobsHistoryLimit ?? 3, failed: spec.failedJobsHistoryLimit ?? 1 },
      jobTemplate: spec.jobTemplate,
    },
  }
  return { manifest, remarks }
}

function durationOf(seconds: number): string {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
