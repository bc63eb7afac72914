import type { Target } from '../target.ts'

/** A pattern that tries every way to split a text before it gives up. */
const SLOW = /^(?:a+)+$/

export const target: Target = {
  seeds: ['a'],
  tokens: ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'b'],
  longest: 100,
  run: text => void SLOW.test(text),
}
