import type { Schedule } from '@kron/core'
import { API_VERSION, type KronJob } from './kronjob.ts'
import { parseSpec, printFieldFault } from './parse.ts'
import { KRON_JOB_SCHEMA } from './schema.ts'
import { checkStructure, type ManifestFault } from './structure.ts'

/** The result of reading a manifest without a cluster: the identity, and the schedule if the manifest is valid. */
export interface CheckedManifest {
  readonly identity: string
  readonly schedule?: Schedule
  readonly faults: readonly ManifestFault[]
}

const NAME = /^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/

export function checkManifest(value: unknown, defaultNamespace: string): CheckedManifest {
  const kronJob = value as KronJob
  const name = String(kronJob?.metadata?.name ?? '')
  const identity = `${kronJob?.metadata?.namespace ?? defaultNamespace}/${name}`
  const faults: ManifestFault[] = checkStructure(value, KRON_JOB_SCHEMA)
  if (kronJob?.apiVersion !== API_VERSION || kronJob.kind !== 'KronJob') {
    faults.push({
      path: 'kind',
      message: `expected a KronJob of ${API_VERSION}, found ${kronJob?.kind} of ${kronJob?.apiVersion}`,
    })
  }
  if (!NAME.test(name)) {
    faults.push({
      path: 'metadata.name',
      message: 'metadata.name must be a DNS label of at most 52 characters',
    })
  }
  if (faults.some(each => each.path !== 'metadata.name')) return { identity, faults }
  const read = parseSpec(kronJob.spec)
  if (read.ok) return { identity, schedule: read.schedule, faults }
  const engine = read.faults.map(each => ({
    path: each.path,
    message: printFieldFault(each).slice(each.path.length + 2),
  }))
  return { identity, faults: [...faults, ...engine] }
}
