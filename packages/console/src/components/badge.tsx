import { OUTCOME_STYLES, type OutcomeKind } from '@kron/core'

/** The colour of an outcome, for style sheets. */
export const toneOf = (kind: OutcomeKind) => ({ '--tone': `var(--${OUTCOME_STYLES[kind].colour})` })

/** An outcome with its one icon, colour and word. */
export function Badge({ kind, note }: { readonly kind: OutcomeKind; readonly note?: string }) {
  const { icon, word } = OUTCOME_STYLES[kind]
  return (
    <span class="badge" style={toneOf(kind)}>
      <span aria-hidden="true">{icon}</span> {word}
      {note !== undefined && ` ${note}`}
    </span>
  )
}

/** The icon alone, where the word is beside it or in a title. */
export const Dot = ({ kind, title }: { readonly kind: OutcomeKind | undefined; readonly title: string }) => (
  <span class="dot" style={kind && toneOf(kind)} aria-hidden="true" title={title}>
    {kind === undefined ? '·' : OUTCOME_STYLES[kind].icon}
  </span>
)
