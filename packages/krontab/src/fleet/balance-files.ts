import { grouped, withProgress } from '@kron/cli'
import {
  type Balance,
  type Balanceable,
  balance,
  baseOf,
  differsByHost,
  periodsWithin,
  type SaltPlace,
  type Span,
} from '@kron/core'
import type { Entry } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { badInput } from '../context/refusal.ts'
import { saltAt } from './salts.ts'

/** If one salt for every job takes more decisions than this, several salts are too many to try. */
const MOST_DECISIONS = 25_000_000

/** A salt that will change. */
export interface SaltChange {
  readonly entry: Entry
  readonly from: string
  readonly to: string
}

export interface BalancedFiles {
  readonly balance: Balance
  readonly changes: readonly SaltChange[]
}

/** Balances the jobs of files that all of the places share. `otherwise`: the salt of jobs without one. */
export function balanceEntries(
  context: CommandContext,
  entries: readonly Entry[],
  places: readonly SaltPlace[],
  otherwise: string,
  span: Span,
): BalancedFiles {
  checkWork(entries, places.length, span)
  const jobs = entries.map((entry): Balanceable => {
    const written = entry.schedule.seed.salt || otherwise
    return { job: entry, written, base: spreading(baseOf(written), places.length, otherwise) }
  })
  const saltsOf = (written: string): string[] => places.map(place => saltAt(written, place))
  const result = withProgress(context, 'trying salts', show => balance(jobs, saltsOf, span, show))
  const changes = jobs.flatMap(({ job, written }, i) => {
    const to = result.salts[i]!
    return to === written ? [] : [{ entry: job as Entry, from: (job as Entry).schedule.seed.salt, to }]
  })
  return { balance: result, changes }
}

/** On several hosts a salt must differ from host to host; otherwise all of them start together. */
function spreading(base: string, hosts: number, otherwise: string): string {
  if (hosts < 2 || differsByHost(base)) return base
  return differsByHost(otherwise) ? `${base}${otherwise}` : `${base}%H`
}

function checkWork(entries: readonly Entry[], hosts: number, { from, to }: Span): void {
  let decisions = 0
  for (const { schedule } of entries) {
    if (schedule.policy.suspend) continue
    for (const _ of periodsWithin(schedule, from, to)) decisions += hosts
    if (decisions > MOST_DECISIONS)
      throw badInput(
        `that would be more than ${grouped(MOST_DECISIONS)} starts to place`,
        'look less far ahead with --for, or name fewer hosts: a sample of them is enough',
      )
  }
}
