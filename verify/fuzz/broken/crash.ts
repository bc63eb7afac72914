import type { Target } from '../target.ts'

/** Breaks on one word in ten million million: only a fuzzer that notices new branches finds it. */
export const target: Target = {
  seeds: ['abcdefgh'],
  tokens: [],
  longest: 40,
  run(text) {
    if (text[0] !== '#') return
    if (text[1] !== '/') return
    if (text[2] !== '@') return
    if (text[3] !== '%') return
    if (text[4] !== '~') return
    if (text[5] === '!') throw new TypeError('the parser is broken')
  },
}
