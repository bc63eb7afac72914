import { type Decision, recordOf } from '@kron/core'
import { API_VERSION, GROUP, type KronJob, type Metadata, type ObjectReference } from '../manifest/kronjob.ts'
import {
  CHOSEN_LABEL,
  DECISION_ANNOTATION,
  jobNameOf,
  labelTime,
  NAME_LABEL,
  PERIOD_LABEL,
  periodIdOf,
} from './names.ts'

/** The fields of a Job that the reconciler needs. The rest stays on the API server. */
export interface ObservedJob {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** The name and UID of the KronJob that controls it. */
  readonly ownerName: string
  readonly ownerUid: string
  /** The period, in the form of the label. */
  readonly period: string
  readonly created: number
  readonly finished?: { readonly succeeded: boolean; readonly at: number }
  readonly deleting: boolean
}

/** A Job as the API server sends it. */
export interface JobObject {
  readonly metadata: Metadata
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly lastTransitionTime?: string
    }[]
  }
}

/** The default of Kubernetes. */
const DEFAULT_POD_GRACE = 30

const secondsOf = (time: string | undefined): number =>
  time === undefined ? 0 : Math.floor(Date.parse(time) / 1000)

export function observeJob(job: JobObject): ObservedJob {
  const { metadata } = job
  const owner = metadata.ownerReferences?.find(
    each => each.controller === true && each.kind === 'KronJob' && each.apiVersion.startsWith(`${GROUP}/`),
  )
  const end = job.status?.conditions?.find(({ type, status }) => {
    return status === 'True' && (type === 'Complete' || type === 'Failed')
  })
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    ownerName: owner?.name ?? '',
    ownerUid: owner?.uid ?? '',
    period: metadata.labels?.[PERIOD_LABEL] ?? '',
    created: secondsOf(metadata.creationTimestamp),
    ...(end && { finished: { succeeded: end.type === 'Complete', at: secondsOf(end.lastTransitionTime) } }),
    deleting: metadata.deletionTimestamp !== undefined,
  }
}

/** The Job of one period: the template with labels, annotations and owner added, and no other change. */
export function jobManifest(kronJob: KronJob, decision: Decision) {
  const { metadata, spec } = kronJob
  const { labels, annotations } = spec.jobTemplate.metadata ?? {}
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(metadata.name, periodIdOf(decision)),
      namespace: metadata.namespace,
      labels: {
        ...labels,
        [NAME_LABEL]: metadata.name,
        [PERIOD_LABEL]: labelTime(decision.nominal),
        [CHOSEN_LABEL]: labelTime(decision.chosen ?? decision.windowStart),
      },
      annotations: { ...annotations, [DECISION_ANNOTATION]: JSON.stringify(recordOf(decision)) },
      ownerReferences: [
        {
          apiVersion: API_VERSION,
          kind: 'KronJob',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: spec.jobTemplate.spec,
  }
}

/** The seconds that a pod of the template may take to terminate. */
export function podGraceOf({ spec }: KronJob): number {
  const { template } = spec.jobTemplate.spec as {
    template?: { spec?: { terminationGracePeriodSeconds?: unknown } }
  }
  const grace = template?.spec?.terminationGracePeriodSeconds
  return typeof grace === 'number' ? grace : DEFAULT_POD_GRACE
}

export type JobManifest = ReturnType<typeof jobManifest>

export const referenceTo = ({ namespace, name, uid }: ObservedJob): ObjectReference => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  namespace,
  name,
  uid,
})
