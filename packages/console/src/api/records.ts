/** The answers of krond; docs/reference/openapi.json describes the same shapes. */
export type * from '@kron/host/api'

/** One event of the live feed: a log line of krond, typed loosely as it may grow. */
export interface FeedEvent {
  readonly time: string
  readonly event: string
  readonly level: string
  readonly identity?: string
  readonly period_id?: string
  readonly [field: string]: string | number | boolean | null | undefined
}
