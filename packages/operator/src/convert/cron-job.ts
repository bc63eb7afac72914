import { HOUR, SECOND } from '@kron/core'
import { checkManifest } from '../manifest/check.ts'
import { API_VERSION, type JobTemplate, type KronJobSpec } from '../manifest/kronjob.ts'
import { MOST_OPEN_PERIODS, parseSpec } from '../manifest/parse.ts'
import { readKubernetesCron } from './kubernetes-cron.ts'

type Fields = Readonly<Record<string, unknown>>

export interface KronJobManifest {
  readonly apiVersion: string
  readonly kind: 'KronJob'
  readonly metadata: Fields & { readonly name: string }
  readonly spec: KronJobSpec
}

/** A converted CronJob with remarks about all differences, or the reason why it cannot be converted. */
export type Conversion =
  | { readonly ok: true; readonly manifest: KronJobManifest; readonly remarks: readonly string[] }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Fields that the server sets. They can be dropped, because the author did not write them. */
const SERVER_METADATA = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
]
const KEPT_METADATA = ['name', 'namespace', 'labels', 'annotations']
const KNOWN_SPEC = [
  'schedule',
  'timeZone',
  'concurrencyPolicy',
  'startingDeadlineSeconds',
  'suspend',
  'successfulJobsHistoryLimit',
  'failedJobsHistoryLimit',
  'jobTemplate',
]
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const LONGEST_DEADLINE = (744 * HOUR) / SECOND

export function convertCronJob(cronJob: unknown): Conversion {
  const { metadata = {}, spec = {} } = withoutNulls(cronJob) as { metadata?: Fields; spec?: Fields }
  const remarks = [
    ...dropped('metadata', metadata, [...KEPT_METADATA, ...SERVER_METADATA]),
    ...dropped('spec', spec, KNOWN_SPEC),
  ]
  const cron = readKubernetesCron(String(spec['schedule'] ?? ''))
  if (!cron.ok) return { ok: false, faults: [`spec.schedule: ${cron.message}`] }
  if (cron.remark) remarks.push(cron.remark)
  const zone = (spec['timeZone'] as string | undefined) ?? cron.zone
  if (zone === undefined)
    remarks.push(
      "no timeZone: the controller manager's own zone applied, UTC applies now; set spec.timezone if they differ",
    )
  const policy = String(spec['concurrencyPolicy'] ?? 'Allow')
  if (!['Allow', 'Forbid', 'Replace'].includes(policy))
    return { ok: false, faults: [`spec.concurrencyPolicy: ${policy} is none of Allow, Forbid and Replace`] }
  const deadline = spec['startingDeadlineSeconds'] as number | undefined
  const build = (seconds: number): KronJobSpec => ({
    schedule: cron.text,
    timezone: zone ?? 'UTC',
    policy: {
      concurrency: policy.toLowerCase(),
      deadline: durationOf(seconds),
      ...(spec['suspend'] === true && { suspend: true }),
    },
    history: {
      successful: (spec['successfulJobsHistoryLimit'] as number | undefined) ?? 3,
      failed: (spec['failedJobsHistoryLimit'] as number | undefined) ?? 1,
    },
    jobTemplate: spec['jobTemplate'] as JobTemplate,
  })
  const wanted = Math.min(deadline ?? LONGEST_DEADLINE, LONGEST_DEADLINE)
  const fitting = fittingDeadline(build, wanted)
  remarks.push(...deadlineRemarks(deadline, fitting))
  const manifest: KronJobManifest = {
    apiVersion: API_VERSION,
    kind: 'KronJob',
    metadata: metadataOf(metadata, remarks),
    spec: build(fitting),
  }
  const { faults } = checkManifest(manifest, 'default')
  if (faults.length > 0)
    return { ok: false, faults: faults.map(({ path, message }) => `${path}: ${message}`) }
  return { ok: true, manifest, remarks }
}

const dropped = (where: string, fields: Fields, known: readonly string[]): string[] =>
  Object.keys(fields)
    .filter(key => !known.includes(key))
    .map(key => `${where}.${key} is dropped: a KronJob has no such field`)

function metadataOf(metadata: Fields, remarks: string[]): KronJobManifest['metadata'] {
  const { [LAST_APPLIED]: _, ...annotations } = (metadata['annotations'] ?? {}) as Fields
  const given = String(metadata['name'] ?? '')
  // The name of a KronJob is used in pod names, so unlike the name of a CronJob it may not contain dots.
  const name = given.replaceAll('.', '-')
  if (name !== given) remarks.push(`the name ${given} becomes ${name}: it names pods, so it may hold no dots`)
  return {
    name,
    ...(metadata['namespace'] !== undefined && { namespace: metadata['namespace'] }),
    ...(metadata['labels'] !== undefined && { labels: metadata['labels'] }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }
}

/** The longest deadline, up to the wanted one, that does not keep too many periods open at once. */
function fittingDeadline(build: (seconds: number) => KronJobSpec, wanted: number): number {
  const fits = (seconds: number): boolean => {
    const read = parseSpec(build(seconds))
    return read.ok || !parseSpec(build(0)).ok
  }
  if (fits(wanted)) return wanted
  let [low, high] = [0, wanted]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low >= 3600 ? Math.floor(low / 3600) * 3600 : low >= 60 ? Math.floor(low / 60) * 60 : low
}

function deadlineRemarks(given: number | undefined, seconds: number): string[] {
  const now = `the deadline is ${durationOf(seconds)} now`
  if (given === undefined)
    return [`no startingDeadlineSeconds: the latest missed start was made up for however late; ${now}`]
  return given === seconds
    ? []
    : [
        `startingDeadlineSeconds ${given} is more than fits (at most ${MOST_OPEN_PERIODS} open periods and 744h): ${now}`,
      ]
}

/** Kubernetes treats `null` as an absent field. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
  )
}

function durationOf(seconds: number): string {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
