import type { WeightsFallback } from '@kron/core'

/**
 * The API group: a domain that the project must own. The code names it only here. To change it before a release, edit
 * this line, the chart's `_helpers.tpl` and `roles.yaml`, `argocd/` and `kube-state-metrics/`, and run `node
 * scripts/manifests.ts`. Objects of the old group are not converted.
 */
export const GROUP = 'kron.io'
export const VERSION = 'v1alpha1'
export const API_VERSION = `${GROUP}/${VERSION}`

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface Metadata {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
}

export interface KronJob {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
  readonly spec: KronJobSpec
  readonly status?: KronJobStatus
}

/** One entry of `only` or `avoid`, such as `{dow: MON-FRI}`. */
export type ConstraintItem = Readonly<Record<string, string>>

export interface KronJobSpec {
  readonly schedule: string
  readonly timezone?: string
  readonly window?: { readonly mode?: string; readonly duration?: string }
  readonly distribution?: {
    readonly name?: string
    readonly params?: Readonly<Record<string, string | number>>
  }
  readonly seed?: { readonly strategy?: string; readonly salt?: string }
  readonly constraints?: {
    readonly only?: readonly ConstraintItem[]
    readonly avoid?: readonly ConstraintItem[]
  }
  readonly policy?: { readonly concurrency?: string; readonly deadline?: string; readonly suspend?: boolean }
  readonly history?: { readonly successful?: number; readonly failed?: number }
  readonly jobTemplate: JobTemplate
}

/** A batch/v1 JobTemplateSpec, passed on unchanged. */
export interface JobTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: { readonly ttlSecondsAfterFinished?: number; readonly [field: string]: unknown }
}

export interface KronJobStatus {
  readonly observedGeneration?: number
  readonly lastPeriodID?: string
  readonly lastNominalTime?: string
  readonly lastChosenTime?: string
  readonly lastOutcome?: string
  readonly lastReason?: string
  readonly lastSeedHash?: string
  readonly nextPeriodID?: string
  readonly nextNominalTime?: string
  readonly nextChosenTime?: string
  readonly nextSeedHash?: string
  readonly handledThrough?: string
  readonly handledPeriods?: readonly string[]
  readonly intent?: Intent
  readonly active?: readonly ObjectReference[]
  readonly activeCount?: number
  readonly window?: string
  readonly lastJobRef?: ObjectReference
  readonly lastSuccessfulTime?: string
  readonly lastFailureTime?: string
  readonly consecutiveFailures?: number
  /** The UIDs of the Jobs that ended in the latest second of the two times above. They are already counted. */
  readonly lastFinishedUIDs?: readonly string[]
  /** The operator's salt, if it decided the times. */
  readonly salt?: string
  /** SHA-256 of each calendar that decided the times. */
  readonly calendars?: Readonly<Record<string, string>>
  readonly weightsDigest?: string
  readonly weightsFallback?: WeightsFallback
  readonly conditions?: readonly Condition[]
}

/** The announcement of a start. It is written before the Job is created and cleared with the period's outcome. */
export interface Intent {
  readonly periodID: string
  readonly jobName: string
  readonly at: string
  /** Whether the Jobs to replace still exist, so that the new Job cannot exist yet. */
  readonly replacing?: boolean
}

export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export type ConditionType =
  | 'Ready'
  | 'Reconciling'
  | 'Stalled'
  | 'InvalidSpec'
  | 'SchedulingError'
  | 'Unschedulable'
  | 'Suspended'

export interface Condition {
  readonly type: ConditionType
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
  readonly observedGeneration: number
}

export const keyOf = ({ metadata }: { readonly metadata: Metadata }): string =>
  `${metadata.namespace}/${metadata.name}`
