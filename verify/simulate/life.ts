import { existsSync } from 'node:fs'
import { prev, printInstant, type Schedule } from '@kron/core'

/** One simulated history of a source tree, as a list of lines for each job. */
export interface Life {
  readonly lines: ReadonlyMap<string, readonly string[]>
  readonly events: number
  readonly records: number
}

/** The parts of a tree's simulation that are used here; both trees have them. */
interface Simulated {
  readonly machine: {
    readonly clock: { monotonic(): number }
    crashAt: number
    failAt: number
  }
  readonly witness: {
    emitted(event: object): void
    recorded(identity: string, event: object): void
    readonly entries: ReadonlyMap<string, { readonly schedule: Schedule }>
    readonly violations: readonly { readonly message: string }[]
  }
  live(span: number): Promise<void>
}

/** Earlier commits have the support of the simulation beside krond's sources. */
function supportIn(tree: string): (name: string) => string {
  const simulation = `${tree}/packages/testkit/src/krond/simulation`
  if (existsSync(simulation)) return name => `${simulation}/${name}.ts`
  return name => `${tree}/packages/krond/src/simulation/${name}.test-support.ts`
}

export async function liveIn(tree: string, seed: number, span: number): Promise<Life> {
  const support = supportIn(tree.replace(/\/$/, ''))
  const { History } = (await import(support('history'))) as {
    History: new (seed: number, tally: object) => Simulated
  }
  const { noTally } = (await import(support('tally'))) as { noTally: () => object }
  const history = new History(seed, noTally())
  const { machine, witness } = history
  for (const fault of ['crashAt', 'failAt'])
    Object.defineProperty(machine, fault, { get: () => Number.POSITIVE_INFINITY, set: () => {} })
  const lines = new Map<string, string[]>()
  const note = (identity: string, text: string): void => {
    // Time since the beginning, which no clock change turns back.
    const time = machine.clock.monotonic().toFixed(3).padStart(16, '0')
    const known = lines.get(identity)
    if (known === undefined) lines.set(identity, [`${time} ${text}`])
    else known.push(`${time} ${text}`)
  }
  let events = 0
  let records = 0
  const { emitted, recorded } = witness
  witness.emitted = event => {
    const { identity = '', ...fields } = event as { identity?: string; level: string }
    if (fields.level !== 'debug') {
      events++
      note(identity, `event ${JSON.stringify(fields)}`)
    }
    emitted.call(witness, event)
  }
  witness.recorded = (identity, event) => {
    records++
    const schedule = witness.entries.get(identity)?.schedule
    for (const each of recordLines(event)) note(identity, `record ${withPeriods(each, schedule)}`)
    recorded.call(witness, identity, event)
  }
  await history.live(span)
  for (const { message } of witness.violations) note('violations', message)
  return { lines, events, records }
}

/** A watermark means the periods up to it: two that lie between the same periods are equal. */
function withPeriods(record: string, schedule: Schedule | undefined): string {
  return record.replace(/"HandledThrough":"([^"]+)"/, (whole, time: string) => {
    const last = schedule && prev(schedule.cron, schedule.zone, Date.parse(time) / 1_000)
    return last === undefined ? whole : `"HandledThrough":"${printInstant(last)}"`
  })
}

/** A record of several periods is as good as a record of each; the next start carries the watermark of both. */
function recordLines(event: object): readonly string[] {
  const { kind, periods, at } = event as { kind: string; periods?: readonly object[]; at?: string }
  if (kind !== 'notExecuted' || periods === undefined) return [JSON.stringify(event)]
  return periods.map(each => JSON.stringify({ kind, at, ...each }))
}
