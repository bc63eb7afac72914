/**
 * A zone's offsets as plain data. From `starts[i]` on the zone is `offsets[i]` seconds east of UTC; before the first
 * start it has the first offset. Starts ascend, and an offset is always less than a day.
 */
export interface ZoneTable {
  readonly starts: readonly number[]
  readonly offsets: readonly number[]
  /** The data it was made from, such as `tzdata 2026c`. */
  readonly source: string
}
