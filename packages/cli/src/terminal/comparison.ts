import { COMPARED, type Equivalence, printInstant } from '@kron/core'
import { plural } from './text.ts'

/** A job that was converted from another scheduler, and how its starts compare. */
export interface ComparedJob {
  readonly name: string
  /** The other scheduler, as a sentence names it: `cron`, `the CronJob`. */
  readonly who: string
  readonly equivalence: Equivalence
}

const MOST_SHOWN = 5

/** Which jobs start as before, and every difference of the others. */
export const comparisonText = (jobs: readonly ComparedJob[]): string[] =>
  byDifferences(jobs, ({ who, equivalence }) => [who, equivalence.differences]).flatMap(groupText)

/**
 * Jobs of the same origin with the same differences, together: most are those of a night when the clock changes. Those
 * with the fewest differences come first.
 */
export function byDifferences<J>(
  jobs: readonly J[],
  read: (job: J) => readonly [origin: string, differences: readonly unknown[]],
): J[][] {
  const groups = new Map<string, J[]>()
  for (const job of jobs) {
    const key = JSON.stringify(read(job))
    groups.set(key, [...(groups.get(key) ?? []), job])
  }
  return [...groups.values()].sort(([a], [b]) => read(a!)[1].length - read(b!)[1].length)
}

/** The first names of a group, and how many more there are. */
export function groupNames(group: readonly { readonly name: string }[]): string {
  const names = group.slice(0, MOST_SHOWN).map(({ name }) => name)
  if (group.length > names.length) names.push(`${group.length - names.length} more`)
  return names.join(', ')
}

function groupText(group: readonly ComparedJob[]): string[] {
  const { who, equivalence } = group[0]!
  const { differences } = equivalence
  if (differences.length === 0) {
    const span = `the next ${COMPARED} starts, and those around the clock changes of a year`
    return [`${plural(group.length, 'job')}: ${span}, are those of ${who}`]
  }
  const shown = differences.slice(0, MOST_SHOWN).map(({ at, by, because }) => {
    return `  ${printInstant(at)} only ${by === 'kron' ? 'Kron' : who} starts it: ${because}`
  })
  const more = differences.length > MOST_SHOWN ? [`  and ${differences.length - MOST_SHOWN} more`] : []
  return [
    `${groupNames(group)}: ${plural(differences.length, 'start')} not as with ${who}`,
    ...shown,
    ...more,
  ]
}
