import { OUTCOME_STYLES, type OutcomeKind } from '@kron/core'

/** An outcome with its one icon, colour and word. */
export function Badge({ kind, note }: { readonly kind: OutcomeKind; readonly note?: string }) {
  const { icon, word, colour } = OUTCOME_STYLES[kind]
  return (
    <span class={`badge ${colour}`}>
      <span aria-hidden="true">{icon}</span> {word}
      {note !== undefined && ` ${note}`}
    </span>
  )
}

/** The icon alone, where the word is beside it or in a title. */
export function Dot({ kind, title }: { readonly kind: OutcomeKind | undefined; readonly title: string }) {
  const style = kind === undefined ? undefined : OUTCOME_STYLES[kind]
  return (
    <span class={`dot ${style?.colour ?? 'none'}`} aria-hidden="true" title={title}>
      {style?.icon ?? '·'}
    </span>
  )
}
