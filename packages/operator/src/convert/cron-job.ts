/** What is read of a Kubernetes CronJob; a job template passes through as it is. */
export interface CronJob<Template> {
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
    readonly jobTemplate?: Template
  }
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const LONGEST_DEADLINE = 744 * 3600
const GREATEST = [59, 23, 31, 12, 6]

/** A KronJob that starts at the same minutes as a CronJob, and what is different all the same. */
export function kronJobOf<Template>({ metadata = {}, spec = {} }: CronJob<Template>) {
  const remarks: string[] = []
  const { schedule = '', timeZone, concurrencyPolicy = 'Allow', startingDeadlineSeconds, suspend } = spec
  const zone = /^\s*(?:CRON_)?TZ=(\S+)\s+/.exec(schedule)
  if (timeZone === undefined && zone === null) {
    remarks.push(
      "no timeZone: the controller manager's own zone applied, UTC applies now; set spec.timezone if they differ",
    )
  }
  const cron = kronFields(schedule.slice(zone?.[0].length ?? 0))
  if (/^@every\b/.test(cron))
    remarks.push('@every counts from the start of the controller; write it as cron fields')
  if (startingDeadlineSeconds === undefined) {
    remarks.push(
      'no startingDeadlineSeconds: the latest missed start was made up for however late; the deadline is 744h now',
    )
  }
  const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations ?? {}
  const manifest = {
    apiVersion: 'kron.io/v1alpha1',
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

/** `?` is a star to Kubernetes, and `n/s` means from n on. */
function kronFields(schedule: string): string {
  const fields = schedule.trim().split(/\s+/)
  if (fields.length !== 5) return schedule.trim()
  return fields
    .map((field, i) =>
      field
        .replaceAll('?', '*')
        .replace(/(^|,)(\d+)\/(?=\d)/g, (_, before, from) => `${before}${from}-${GREATEST[i]}/`),
    )
    .join(' ')
}

function durationOf(seconds: number): string {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
