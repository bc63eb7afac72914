import type { Hit } from './hit.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

const WIDTH = 290
const HEIGHT = 200

interface TooltipProps {
  readonly at: Point
  readonly hit: Hit
  readonly canvas: HTMLElement
}

/** Describes the object at a point, beside the point and never outside of the canvas. */
export function Tooltip({ at: { x, y }, hit, canvas }: TooltipProps) {
  const { clientWidth: width, clientHeight: height } = canvas
  const left = `${Math.max(0, Math.min(x + 14, width - WIDTH))}px`
  const vertical =
    y + HEIGHT > height && y > HEIGHT ? { bottom: `${height - y + 12}px` } : { top: `${y + 16}px` }
  return (
    <div class="tooltip" role="status" style={{ left, ...vertical }}>
      <strong>{hit.title}</strong>
      <dl>
        {hit.facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
