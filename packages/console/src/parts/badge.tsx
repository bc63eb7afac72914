import type { OutcomeRecord } from '../api/records.ts'
import { type Appearance, appearanceOf, GLYPHS, LABELS } from '../model/outcome.ts'

export function Badge({ appearance }: { readonly appearance: Appearance }) {
  return (
    <span class={`badge ${appearance}`}>
      <span aria-hidden="true">{GLYPHS[appearance]}</span> {LABELS[appearance]}
    </span>
  )
}

export const OutcomeBadge = ({ record }: { readonly record: OutcomeRecord }) => (
  <Badge appearance={appearanceOf(record)} />
)
