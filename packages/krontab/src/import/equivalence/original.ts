import { kubernetesStarts } from './kubernetes.ts'
import { calendarStarts } from './systemd.ts'
import { cronStarts } from './vixie.ts'

/** A schedule as its source has it. */
export type Original =
  | {
      readonly kind: 'cron'
      readonly fields: readonly string[]
      readonly macro: boolean
      readonly zone: string
    }
  | { readonly kind: 'calendar'; readonly expression: string; readonly zone: string }
  | { readonly kind: 'kubernetes'; readonly fields: readonly string[]; readonly zone: string }

/** When the original would start it: read again from its text, by the rules of whoever ran it. */
export function startsOf(original: Original, after: number, until: number): Generator<number, void, void> {
  const { zone } = original
  switch (original.kind) {
    case 'cron':
      return cronStarts(original.fields, original.macro, zone, after, until)
    case 'calendar':
      return calendarStarts(original.expression, zone, after, until)
    case 'kubernetes':
      return kubernetesStarts(original.fields, zone, after, until)
  }
}

export const nameOfOriginal = ({ kind }: Original): string =>
  ({ cron: 'cron', calendar: 'systemd', kubernetes: 'the CronJob' })[kind]
