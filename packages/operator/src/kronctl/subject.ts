import { type Job, parseInstant } from '@kron/core'
import { Api } from '../cluster/api.ts'
import { isNotFound } from '../cluster/api-error.ts'
import { loadKubeConfig } from '../cluster/kubeconfig.ts'
import { configMapsPath, kronJobsPath } from '../cluster/paths.ts'
import { checkManifest } from '../manifest/check.ts'
import { type ManifestDocument, readManifests } from '../manifest/document.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { jobOf, parseSpec, printFieldFault, salted } from '../manifest/parse.ts'
import {
  type ConfigMap,
  FILES_NAME,
  NO_FILES,
  namesFiles,
  ScheduleFiles,
} from '../manifest/schedule-files.ts'
import type { ManifestFault } from '../manifest/structure.ts'
import { filesOf } from './files.ts'
import { Complaint, type Terminal } from './terminal.ts'

export interface Where {
  readonly filename?: readonly string[]
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly namespace?: string | undefined
  readonly as?: string | undefined
  /** The operator's salt. In a cluster, the status holds the salt in use. */
  readonly salt?: string | undefined
}

export interface Connection {
  readonly api: Api
  readonly namespace: string
}

export async function connect(where: Where): Promise<Connection> {
  const access = await loadKubeConfig(where)
  return {
    api: new Api(access, { userAgent: 'kronctl', as: where.as }),
    namespace: where.namespace ?? access.namespace,
  }
}

/** Reads a KronJob by `namespace/name`, or by a name in the context's namespace. */
export async function readKronJob(name: string, where: Where): Promise<{ api: Api; kronJob: KronJob }> {
  const { api, namespace } = await connect(where)
  const [own, rest] = name.includes('/') ? (name.split('/', 2) as [string, string]) : [namespace, name]
  try {
    return { api, kronJob: await api.get<KronJob>(kronJobsPath(own, rest)) }
  } catch (error) {
    if (isNotFound(error))
      throw new Complaint(`there is no KronJob ${own}/${rest}, or KronJobs are not installed`)
    throw error
  }
}

/** The jobs of a command, from the given manifests or from the cluster. */
export async function subjects(name: string | undefined, where: Where, terminal: Terminal): Promise<Job[]> {
  if (where.filename && where.filename.length > 0) {
    if (name !== undefined) throw new Complaint('give a KronJob or a file, not both')
    const files = filesOf(where.filename, terminal)
    const schedules = filesInManifests(files, where, terminal)
    return files.flatMap(file => jobsOf(file, where, terminal, schedules))
  }
  if (name === undefined) throw new Complaint('give a KronJob as namespace/name, or a manifest with -f')
  const { api, kronJob } = await readKronJob(name, where)
  return [jobIn(kronJob, where.salt, await filesInCluster(api, kronJob))]
}

/** The calendars and weights of a KronJob's namespace. A user who may not read them gets none. */
export async function filesInCluster(api: Api, kronJob: KronJob): Promise<ScheduleFiles> {
  if (!namesFiles(kronJob)) return NO_FILES
  try {
    const { data } = await api.get<ConfigMap>(configMapsPath(kronJob.metadata.namespace, FILES_NAME))
    return new ScheduleFiles(data)
  } catch (error) {
    if (isNotFound(error)) return NO_FILES
    throw error
  }
}

/** The ConfigMaps `kron-files` among manifests, by their namespace. */
export function filesInManifests(
  files: readonly string[],
  { namespace = 'default' }: Where,
  terminal: Terminal,
): ReadonlyMap<string, ScheduleFiles> {
  const maps = files.flatMap(file => readManifests(file, terminal.read(file)).documents.filter(isFilesMap))
  return new Map(
    maps.map(({ value }) => {
      const { metadata, data } = value as ConfigMap
      return [metadata.namespace ?? namespace, new ScheduleFiles(data)]
    }),
  )
}

const isFilesMap = ({ value }: ManifestDocument): boolean => {
  const { kind, metadata } = value as Partial<ConfigMap> & { readonly kind?: string }
  return kind === 'ConfigMap' && metadata?.name === FILES_NAME
}

export function jobIn(kronJob: KronJob, salt: string | undefined, files: ScheduleFiles): Job {
  const spec = parseSpec(kronJob.spec)
  const read = spec.ok ? files.complete(spec.schedule) : spec
  if (read.ok) return jobOf(keyOf(kronJob), salted(read.schedule, salt ?? kronJob.status?.salt))
  throw new Complaint(`${keyOf(kronJob)} is invalid: ${read.faults.map(printFieldFault).join('; ')}`)
}

export function jobsOf(
  file: string,
  { namespace = 'default', salt }: Where,
  terminal: Terminal,
  files: ReadonlyMap<string, ScheduleFiles>,
): Job[] {
  const { documents, errors } = readManifests(file, terminal.read(file))
  if (errors.length > 0) throw new Complaint(errors.join('\n'))
  const kronJobs = documents.filter(({ value }) => (value as KronJob).kind === 'KronJob')
  if (kronJobs.length === 0 && !documents.some(isFilesMap)) throw new Complaint(`${file} holds no KronJob`)
  return kronJobs.map(document => {
    const { identity, schedule, faults } = checkManifest(document.value, namespace)
    const own = files.get(identity.slice(0, identity.indexOf('/'))) ?? NO_FILES
    const read = schedule && own.complete(schedule)
    if (read?.ok && faults.length === 0) return jobOf(identity, salted(read.schedule, salt))
    const missing = read?.ok === false ? read.faults : []
    const all = [...faults, ...missing.map(({ path, fault }) => ({ path, message: fault.message }))]
    throw new Complaint(all.map(fault => faultLine(document, fault)).join('\n'))
  })
}

export function faultLine({ file, placeOf }: ManifestDocument, { path, message }: ManifestFault): string {
  const { line, column } = placeOf(path)
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`
}

export function instantOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const read = parseInstant(text)
  if (read.ok) return read.value
  throw new Complaint(`${read.faults[0]!.message}; ${read.faults[0]!.hint}`)
}
