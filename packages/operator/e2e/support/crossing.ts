import { jobFrom, type Named, nowSeconds, periodsFrom, template } from './kron-jobs.ts'
import type { World } from './world.ts'

/** A spec with long windows in which the later of two successive periods starts first, and both start soon. */
export function crossing(world: World, named: Named) {
  // On a slow machine it takes a while to find a salt and create the KronJob. Its windows must open after that.
  const from = nowSeconds() + 20
  const window = { mode: 'before', duration: `${1200 + 60 - (from % 60)}s` }
  for (let salt = 0; ; salt++) {
    const jobTemplate = template(world, 'succeeds')
    const policy = { concurrency: 'allow', deadline: '30m' }
    const spec = { schedule: '* * * * *', window, seed: { salt: String(salt) }, policy, jobTemplate }
    const [early, late, third] = periodsFrom(jobFrom(named, spec), from, 3).map(each => ({
      ...each,
      chosen: each.chosen!,
    }))
    const crossed = late!.chosen < early!.chosen - 3 && early!.chosen < from + 90
    if (crossed && third!.chosen > from + 300) return { spec, early: early!, late: late! }
  }
}
