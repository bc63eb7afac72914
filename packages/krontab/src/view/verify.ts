import { facts, indent, plural, styleOf, type Terminal, visible } from '@kron/cli'
import type { Verification } from '../verify/verification.ts'

export function verifyText(
  { checked, mismatches, unreadable, withoutDefinition }: Verification,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const lines = mismatches.flatMap(({ where, identity, periodId, differences }) => [
    `${style.strong(where)}: ${style.bad('mismatch:')} ${visible(identity)}, period ${periodId}`,
    ...indent(
      facts(
        differences.flatMap(({ field, recorded, recomputed }) => [
          [field, [`recorded   ${shown(recorded)}`, `recomputed ${shown(recomputed)}`]] as const,
        ]),
      ),
    ),
    ...(differences.some(({ field }) => field === 'zoneData')
      ? [
          '  The zone data are not the same. Where the rules of the zone have changed, that explains the difference.',
        ]
      : []),
  ])
  for (const { where, why } of unreadable) {
    lines.push(`${style.strong(visible(where))}: ${style.bad('unreadable:')} ${visible(why)}`)
  }
  for (const identity of withoutDefinition) {
    lines.push(
      `${style.strong(visible(identity))}: ${style.warn('not checked:')} it is in no job file any more`,
    )
  }
  const wrong = mismatches.length + unreadable.length
  const counts = [
    `${plural(checked, 'decision')} recomputed`,
    `${mismatches.length} did not match`,
    ...(unreadable.length === 0 ? [] : [`${unreadable.length} unreadable`]),
  ]
  return [...lines, (wrong > 0 ? style.bad : style.good)(counts.join(', '))]
}

const shown = (value: unknown): string => (typeof value === 'string' ? visible(value) : JSON.stringify(value))
