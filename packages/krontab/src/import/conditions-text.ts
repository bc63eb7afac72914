import { byDifferences, groupNames, plural, visible } from '@kron/cli'
import { nameOfOriginal, type Original } from './equivalence/original.ts'
import type { ReportedJob } from './report.ts'

type ComparedConditions = Pick<ReportedJob, 'name' | 'original' | 'conditions'>

const COMPARED = 'user, groups, directory, umask, shell, environment and mail'

/** Differences that every job of an origin has. */
const GENERAL: Readonly<Record<Original['kind'], readonly string[]>> = {
  cron: [
    'krond adds USER and the variables KRON_* to the environment, and no variables or limits of PAM',
    'a mail of krond has a form of its own and holds the last 4 KiB of the output; krontab output shows more',
  ],
  calendar: [
    "krond adds the variables KRON_* to the environment, and none of systemd's own such as LANG and INVOCATION_ID",
  ],
}

/** The comparison of all conditions but the times; jobs with the same differences are one line. */
export function conditionsText(jobs: readonly ComparedConditions[]): string[] {
  const groups = byDifferences(jobs, ({ original, conditions }) => [original.kind, conditions])
  const kinds = new Set(jobs.map(({ original }) => original.kind))
  return [...groups.flatMap(groupText), ...[...kinds].flatMap(kind => GENERAL[kind].map(line => `  ${line}`))]
}

function groupText(group: readonly ComparedConditions[]): string[] {
  const { original, conditions } = group[0]!
  const who = nameOfOriginal(original)
  if (conditions.length === 0) return [`${plural(group.length, 'job')}: ${COMPARED} are those of ${who}`]
  return [
    `${groupNames(group)}: ${plural(conditions.length, 'condition')} not as with ${who}`,
    ...conditions.map(
      each => `  ${each.what}: ${who} ${visible(each.original)}, krond ${visible(each.kron)}`,
    ),
  ]
}
