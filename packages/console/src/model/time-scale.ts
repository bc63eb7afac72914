/** Maps instants to pixels. */
export interface TimeScale {
  readonly from: number
  readonly to: number
  readonly width: number
}

export const xOf = ({ from, to, width }: TimeScale, at: number): number => ((at - from) / (to - from)) * width

export const atOf = ({ from, to, width }: TimeScale, x: number): number => from + (x / width) * (to - from)

const STEPS = [60, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800]

/** Round instants for labels, at least `room` pixels apart. `offset` is the zone's, so that days begin at midnight. */
export function ticks(scale: TimeScale, room: number, offset: number): number[] {
  const least = (room / scale.width) * (scale.to - scale.from)
  const step = STEPS.find(each => each >= least) ?? STEPS.at(-1)!
  const first = Math.ceil((scale.from + offset) / step) * step - offset
  const found: number[] = []
  for (let at = first; at <= scale.to; at += step) found.push(at)
  return found
}
