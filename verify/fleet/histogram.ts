/** Histograms as an SVG picture. */
const WIDTH = 670
const HEIGHT = 130
const LEFT = 50
const RIGHT = 20

const STYLE = `text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:13px;font-weight:600}.axis{stroke:#8888}
.herd{fill:#d1702a}.spread{fill:#2f7ebc}@media (prefers-color-scheme:dark){text{fill:#ddd}}`

export interface Panel {
  readonly title: string
  readonly kind: 'herd' | 'spread'
  readonly counts: ArrayLike<number>
}

/** Histograms one above the other, each with a scale of its own. */
export function picture(label: string, panels: readonly Panel[], ends: readonly [string, string]): string {
  const parts = panels.flatMap(({ title, kind, counts }, i) => {
    const top = i * (HEIGHT + 46) + 24
    const peak = Math.max(1, ...Array.from(counts))
    const step = (WIDTH - LEFT - RIGHT) / counts.length
    const bars = Array.from(counts).flatMap((count, n) => {
      const height = (count / peak) * HEIGHT
      if (count === 0) return []
      return `<rect class="${kind}" x="${(LEFT + n * step).toFixed(1)}" y="${(top + HEIGHT - height).toFixed(1)}" width="${Math.max(1, step - 0.5).toFixed(1)}" height="${height.toFixed(1)}"/>`
    })
    const base = top + HEIGHT
    return [
      `<text class="title" x="${LEFT}" y="${top - 8}">${title}</text>`,
      `<text x="${LEFT - 6}" y="${top + 10}" text-anchor="end">${peak.toLocaleString('en')}</text>`,
      `<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${base}" y2="${base}"/>`,
      `<text x="${LEFT}" y="${base + 15}">${ends[0]}</text>`,
      `<text x="${WIDTH - RIGHT}" y="${base + 15}" text-anchor="end">${ends[1]}</text>`,
      ...bars,
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${panels.length * (HEIGHT + 46)}" role="img" aria-label="${label}">
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`
}
