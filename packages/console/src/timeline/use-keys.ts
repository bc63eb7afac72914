import { useEffect, useRef } from 'preact/hooks'
import { isTyping } from '../keys.ts'
import { amend } from '../route.ts'
import { SPANS } from './span.ts'

interface Timeline {
  readonly zoom: number
  readonly from: number
  readonly to: number
  readonly selected: number
  readonly select: (index: number) => void
  readonly pan: (seconds: number) => void
  readonly step: (direction: 1 | -1) => void
}

/** Arrows move and pan, with shift they go from mark to mark; plus and minus zoom, n goes back to now. */
export function useTimelineKeys(timeline: Timeline): void {
  const latest = useRef(timeline)
  latest.current = timeline
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return
      const { zoom, from, to, selected, select, pan, step } = latest.current
      const zoomTo = (index: number): void =>
        amend({ span: SPANS[Math.max(0, Math.min(SPANS.length - 1, index))]!.name })
      const actions: Readonly<Record<string, () => void>> = {
        ArrowDown: () => select(selected + 1),
        j: () => select(selected + 1),
        ArrowUp: () => select(selected - 1),
        k: () => select(selected - 1),
        Home: () => select(0),
        End: () => select(Number.MAX_SAFE_INTEGER),
        ArrowLeft: () => (event.shiftKey ? step(-1) : pan((from - to) / 4)),
        ArrowRight: () => (event.shiftKey ? step(1) : pan((to - from) / 4)),
        '+': () => zoomTo(zoom - 1),
        '=': () => zoomTo(zoom - 1),
        '-': () => zoomTo(zoom + 1),
        n: () => amend({ at: undefined }),
      }
      const action = actions[event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  // The row that is selected by keyboard has the focus, so that Enter opens it and a screen reader tells it.
  useEffect(() => {
    if (timeline.selected < 0) return
    document.querySelector<HTMLElement>('.names li.selected a')?.focus({ preventScroll: true })
  }, [timeline.selected])
}
