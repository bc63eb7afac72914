import { setTimeout as pause } from 'node:timers/promises'

/** Asks again until the answer is there; a slow machine makes it slower, never wrong. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  { within = 180_000, every = 100 }: { within?: number; every?: number } = {},
): Promise<T> {
  const limit = performance.now() + within
  let trouble: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer
      trouble = undefined
    } catch (error) {
      trouble = error
    }
    if (performance.now() > limit) {
      const why = trouble instanceof Error ? `: ${trouble.message}` : ''
      throw new Error(`waited ${within / 1000} s in vain until ${what}${why}`, { cause: trouble })
    }
    await pause(every)
  }
}
