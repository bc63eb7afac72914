export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels: Labels
  readonly value: number
  /** For histograms: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
}

export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: Iterable<Sample>
}

/** One value, or the values by their labels. */
type Values = number | Iterable<Sample>

const samplesOf = (values: Values): Iterable<Sample> =>
  typeof values === 'number' ? [{ labels: {}, value: values }] : values

export const gaugeFamily = (name: string, help: string, values: Values): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples: samplesOf(values),
})

export const counterFamily = (name: string, help: string, counter: Counter | Values): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples: counter instanceof Counter ? counter.samples() : samplesOf(counter),
})

export const histogramFamily = (name: string, help: string, histogram: Histogram): MetricFamily => ({
  name,
  help,
  type: 'histogram',
  samples: histogram.samples(),
})

/** Prometheus' text format, a line at a time. */
export function* printFamily({ name, help, type, samples }: MetricFamily): Generator<string> {
  yield `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
  for (const { labels, value, suffix = '' } of samples) {
    yield `${name}${suffix}${printLabels(labels)} ${printNumber(value)}\n`
  }
}

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const printNumber = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)

/** Counts by labels. */
export class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>()

  add(labels: Labels = {}, by = 1): void {
    const key = Object.values(labels).join('\0')
    const count = this.#counts.get(key)
    if (count === undefined) this.#counts.set(key, { labels, value: by })
    else count.value += by
  }

  samples(): Iterable<Sample> {
    return this.#counts.values()
  }
}

export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0
  #count = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length)
  }

  observe(value: number): void {
    this.#sum += value
    this.#count++
    const at = this.#bounds.findIndex(bound => value <= bound)
    if (at >= 0) this.#counts[at]! += 1
  }

  *samples(): Iterable<Sample> {
    let cumulative = 0
    for (const [i, bound] of this.#bounds.entries()) {
      cumulative += this.#counts[i]!
      yield { suffix: '_bucket', labels: { le: String(bound) }, value: cumulative }
    }
    yield { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count }
    yield { suffix: '_sum', labels: {}, value: this.#sum }
    yield { suffix: '_count', labels: {}, value: this.#count }
  }
}
