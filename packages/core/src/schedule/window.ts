import { SECOND } from '../time/duration.ts'

export type WindowMode = 'after' | 'around' | 'before'

/** The shape of a job's windows; `duration` in nanoseconds. */
export interface Window {
  readonly mode: WindowMode
  readonly duration: number
}

export const NO_WINDOW: Window = { mode: 'after', duration: 0 }

/** The first second of a window, relative to its nominal time: its start, floored. */
export function startOffset({ mode, duration }: Window): number {
  if (mode === 'after') return 0
  return 0 - (Math.ceil((mode === 'around' ? Math.floor(duration / 2) : duration) / SECOND) | 0)
}

/** The last second of a window, relative to its nominal time: its end, floored. */
export function endOffset({ mode, duration }: Window): number {
  if (mode === 'before') return 0
  return ((mode === 'around' ? duration - Math.floor(duration / 2) : duration) / SECOND) | 0
}
