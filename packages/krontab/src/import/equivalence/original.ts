/** A schedule as its source has it. */
export type Original =
  | {
      readonly kind: 'cron'
      readonly fields: readonly string[]
      readonly macro: boolean
      readonly zone: string
    }
  | { readonly kind: 'calendar'; readonly expression: string; readonly zone: string }
