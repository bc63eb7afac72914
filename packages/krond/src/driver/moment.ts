/** One reading of the clocks. Each message carries the moment at which it is handled. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly wallMs: number
  /** CLOCK_BOOTTIME in milliseconds. */
  readonly bootMs: number
  /** Wall time minus monotonic time: it changes when somebody sets the clock or the machine sleeps. */
  readonly offsetMs: number
}

/** Epoch seconds with their fraction. */
export const timeOf = ({ wallMs }: Moment): number => wallMs / 1_000

export const secondOf = ({ wallMs }: Moment): number => Math.floor(wallMs / 1_000)
