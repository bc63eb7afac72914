import assert from 'node:assert/strict'

export interface ParsedMetrics {
  readonly families: ReadonlySet<string>
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined
  readonly labelsOf: (family: string) => ReadonlySet<string>
  /** All values of a label. */
  readonly valuesOf: (label: string) => ReadonlySet<string>
  /** The number of series. */
  readonly size: number
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y

/** Reads Prometheus' text format as strictly as promtool: order, names, escapes, duplicates, histograms. */
export function parseMetrics(text: string): ParsedMetrics {
  assert.ok(text.endsWith('\n'), 'the last line must end')
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const values = new Map<string, number>()
  const labels = new Map<string, Set<string>>()
  const labelValues = new Map<string, Set<string>>()
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('# HELP ')) {
      const name = line.split(' ')[2]!
      assert.ok(NAME.test(name) && !helped.has(name), `a second or bad HELP: ${line}`)
      helped.add(name)
      current = name
    } else if (line.startsWith('# TYPE ')) {
      const [, , name, type] = line.split(' ') as [string, string, string, string]
      assert.equal(name, current, 'TYPE must follow its HELP')
      assert.ok(['counter', 'gauge', 'histogram'].includes(type) && !types.has(name), line)
      assert.equal(
        type === 'counter',
        name.endsWith('_total'),
        `counters, and only they, end in _total: ${name}`,
      )
      types.set(name, type)
    } else {
      const match = SAMPLE.exec(line)
      assert.ok(match, `not a sample: ${line}`)
      const [, name, rest = '', number] = match as unknown as [string, string, string | undefined, string]
      const family = types.get(current) === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
      assert.equal(family, current, `${name} stands among the samples of ${current}`)
      const given = parseLabels(rest, line)
      const key = keyOf(name, given)
      assert.ok(!values.has(key), `twice: ${line}`)
      values.set(
        key,
        number === '+Inf'
          ? Number.POSITIVE_INFINITY
          : number === '-Inf'
            ? Number.NEGATIVE_INFINITY
            : Number(number),
      )
      const seen = labels.get(family) ?? new Set()
      for (const [label, text] of Object.entries(given)) {
        seen.add(label)
        labelValues.set(label, (labelValues.get(label) ?? new Set()).add(text))
      }
      labels.set(family, seen)
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, values)
  return {
    families: new Set(types.keys()),
    value: (name, wanted = {}) => values.get(keyOf(name, wanted)),
    labelsOf: family => labels.get(family) ?? new Set(),
    valuesOf: label => labelValues.get(label) ?? new Set(),
    size: values.size,
  }
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text)
    assert.ok(match, `bad labels: ${line}`)
    assert.ok(!(match[1]! in labels), `a label twice: ${line}`)
    labels[match[1]!] = match[2]!.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter))
  }
  return labels
}

const keyOf = (name: string, labels: Readonly<Record<string, string>>): string =>
  `${name} ${JSON.stringify(Object.entries(labels).sort())}`

/** Checks that buckets grow, end in +Inf, and that the last equals the count. */
function checkHistogram(name: string, values: ReadonlyMap<string, number>): void {
  const buckets = [...values].filter(([key]) => key.startsWith(`${name}_bucket `))
  assert.ok(buckets.length > 1, `${name} has no buckets`)
  for (const [i, [, count]] of buckets.entries())
    if (i > 0) assert.ok(count >= buckets[i - 1]![1], `${name}: buckets must be cumulative`)
  assert.match(buckets.at(-1)![0], /\+Inf/)
  assert.equal(buckets.at(-1)![1], values.get(keyOf(`${name}_count`, {})))
  assert.ok(values.has(keyOf(`${name}_sum`, {})))
}
