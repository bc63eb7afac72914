import { durationText } from '../model/format.ts'

const WIDTH = 84
const HEIGHT = 20

/** Durations of the latest runs, oldest first, as small columns; the words beside it tell the last one. */
export function Sparkline({ durationsMs }: { readonly durationsMs: readonly number[] }) {
  if (durationsMs.length === 0) return <span class="faint">–</span>
  const longest = Math.max(1, ...durationsMs)
  const step = WIDTH / 12
  return (
    <span class="sparkline">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`durations of the last ${durationsMs.length} runs, up to ${durationText(longest)}`}
      >
        {durationsMs.map((ms, i) => {
          const height = Math.max(1.5, (ms / longest) * HEIGHT)
          const x = (12 - durationsMs.length + i) * step
          return <rect key={i} x={x} y={HEIGHT - height} width={step - 1.5} height={height} />
        })}
      </svg>
      {durationText(durationsMs.at(-1)!)}
    </span>
  )
}
