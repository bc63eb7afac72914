import type { Target } from '../target.ts'

export const target: Target = {
  seeds: ['1'],
  tokens: ['99'],
  longest: 40,
  run(text) {
    const kept: number[][] = []
    if (text.includes('99')) for (;;) kept.push(new Array(100_000).fill(kept.length))
  },
}
