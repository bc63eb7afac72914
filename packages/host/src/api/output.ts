/** A part of a run's output, in the order in which it was printed. */
export type OutputPart =
  | { readonly stream: 'out' | 'err'; readonly text: string }
  /** Bytes between the kept beginning and the kept end that were not kept. */
  | { readonly stream: 'gap'; readonly bytes: number }

/**
 * `GET /api/v1/jobs/{identity}/runs/{runId}/output`. With `follow=true` the answer is a stream of server-sent events:
 * `output` events, each with an `OutputPart` as data, and one `end` event, with an `OutputEnd` as data, when the run is over.
 */
export interface OutputRecord {
  readonly identity: string
  readonly runId: string
  readonly running: boolean
  /** Bytes printed in all. */
  readonly totalBytes: number
  /** At most about 512 KiB; to get the rest, set `after=` to `nextAfter`, which is `totalBytes` at the end. */
  readonly parts: readonly OutputPart[]
  readonly nextAfter: number
}

export interface OutputEnd {
  readonly runId: string
  readonly totalBytes: number
}
