import { type Decision, printInstant, sha256 } from '@kron/core'
import { GROUP } from '../manifest/kronjob.ts'

export const NAME_LABEL = `${GROUP}/name`
export const PERIOD_LABEL = `${GROUP}/period-id`
export const CHOSEN_LABEL = `${GROUP}/chosen-time`
export const DECISION_ANNOTATION = `${GROUP}/decision`

/** With a KronJob name of at most 52 characters, the result fits the limit of 63 characters for pod names of a Job. */
export const jobNameOf = (kronJobName: string, periodId: string): string =>
  `${kronJobName}-${sha256(periodId).slice(0, 10)}`

/** `2026-03-01T02:32:20Z` as a label value: `20260301T023220Z`. */
export const labelTime = (instant: number): string => printInstant(instant).replace(/[-:]/g, '')

export const periodIdOf = (decision: Decision): string => printInstant(decision.nominal)

/** The label of a manually started Job. Its value is the name of the KronJob. */
export const MANUAL_LABEL = `${GROUP}/triggered-from`
export const MANUAL_ANNOTATION = 'cronjob.kubernetes.io/instantiate'
