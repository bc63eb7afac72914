import { printInstant } from '@kron/core'
import type { Condition, ConditionType, KronJob } from '../manifest/kronjob.ts'

export interface Why {
  readonly reason: string
  readonly message: string
}

/** The true conditions of a KronJob, with reasons. An absent condition is false. */
export interface Holding {
  /** The spec cannot be scheduled. */
  readonly InvalidSpec?: Why
  /** Periods cannot be started now. */
  readonly SchedulingError?: Why
  /** The last period had no allowed second. */
  readonly Unschedulable?: Why
  readonly Suspended?: Why
  /** Older Jobs are being ended to make room for a new one. */
  readonly Replacing?: Why
  /** A person has to act before the KronJob continues. */
  readonly Stalled?: Why
}

/** The reasons and messages of false conditions. */
const OTHERWISE: Readonly<Record<Exclude<ConditionType, 'Ready'>, Why>> = {
  Reconciling: { reason: 'Settled', message: 'Nothing is under way.' },
  Stalled: { reason: 'Progressing', message: 'Nothing needs attention.' },
  InvalidSpec: { reason: 'Accepted', message: 'The spec and its Job template are valid.' },
  SchedulingError: { reason: 'NoError', message: 'The last start was not refused.' },
  Unschedulable: { reason: 'SecondFound', message: 'The last period had an allowed second.' },
  Suspended: { reason: 'NotSuspended', message: 'spec.policy.suspend is false.' },
}

const READY: Why = { reason: 'Scheduling', message: 'Every period is started in its window.' }

/** `Ready`, `Stalled` and `Reconciling` follow kstatus, so that Flux, Argo CD and `kubectl wait` understand them. */
export function conditionsOf(kronJob: KronJob, holding: Holding, now: number): Condition[] {
  const { InvalidSpec, SchedulingError, Replacing, Suspended } = holding
  const stalled = holding.Stalled ?? InvalidSpec
  const retrying: Why | undefined =
    SchedulingError && stalled === undefined
      ? { reason: 'Retrying', message: SchedulingError.message }
      : undefined
  const trouble = stalled ?? SchedulingError
  const held: Readonly<Record<ConditionType, Why | undefined>> = {
    Ready: trouble === undefined ? (Suspended ?? READY) : undefined,
    Reconciling: stalled === undefined ? (retrying ?? Replacing) : undefined,
    Stalled: stalled,
    InvalidSpec,
    SchedulingError,
    Unschedulable: holding.Unschedulable,
    Suspended,
  }
  const before = kronJob.status?.conditions ?? []
  return (Object.keys(held) as ConditionType[]).map(type => {
    const status = held[type] === undefined ? 'False' : 'True'
    const known = before.find(each => each.type === type)
    const { reason, message } = held[type] ?? (type === 'Ready' ? trouble! : OTHERWISE[type])
    return {
      type,
      status,
      reason,
      message,
      lastTransitionTime: known?.status === status ? known.lastTransitionTime : printInstant(now),
      observedGeneration: kronJob.metadata.generation ?? 0,
    }
  })
}

/** A condition that was true before and stays true while nothing has changed it. */
export function stillHolding(kronJob: KronJob, type: 'Unschedulable'): Holding {
  const known = kronJob.status?.conditions?.find(each => each.type === type)
  return known?.status === 'True' ? { [type]: { reason: known.reason, message: known.message } } : {}
}
