import { useEffect, useState } from 'preact/hooks'
import { AXIS, ROW } from './draw.ts'

/** Rows beyond the edge that are kept, so that the focus survives a small scroll. */
const SPARE = 6

/** Which rows are on the screen; only these exist in the page. */
export function useVisibleRows(
  scroller: { readonly current: HTMLElement | null },
  count: number,
): { readonly first: number; readonly last: number } {
  const [range, setRange] = useState({ first: 0, last: 40 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / ROW) - SPARE)
      const last = Math.min(count, Math.ceil((element.scrollTop + element.clientHeight - AXIS) / ROW) + SPARE)
      setRange(old => (old.first === first && old.last === last ? old : { first, last }))
    }
    look()
    const resize = new ResizeObserver(look)
    resize.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resize.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller.current, count])
  return range
}
