/** What the store does not know yet of a task: how its run ended, or merely that its record is another. */
export type Unsaved =
  | { readonly kind: 'success' }
  | { readonly kind: 'failure'; readonly error: unknown }
  | { readonly kind: 'amended' }

export const AMENDED: Unsaved = { kind: 'amended' }
