import { setImmediate as turn } from 'node:timers/promises'
import { type Blackboard, roundOf } from './blackboard.ts'
import type { Branches } from './instrument.ts'
import type { Random } from './random.ts'
import { Scrambler } from './scramble.ts'
import { crashKey, shrink, thrownBy } from './shrink.ts'
import type { Target } from './target.ts'

export interface Progress {
  readonly executions: number
  readonly corpus: readonly string[]
  readonly branches: number
  readonly ofBranches: number
}

export interface Crash {
  readonly input: string
  readonly stack: string
}

export interface Exploration {
  readonly target: Target
  readonly branches: Branches
  readonly blackboard: Blackboard
  readonly random: Random
  readonly known: readonly string[]
  /** Milliseconds of processor time: on a busy machine it takes longer. */
  readonly time: number
  /** Ends it earlier. */
  readonly most?: number | undefined
  readonly onCrash: (crash: Crash) => void
  readonly onProgress: (progress: Progress) => void
}

const LONGEST = 400
const PROGRESS_EVERY = 1_000
const FRAMES = 20

/** Runs inputs for a while; each input that takes a branch for the first time joins the corpus. */
export async function explore(exploration: Exploration): Promise<Progress> {
  const { target, branches, blackboard, random, most = Number.POSITIVE_INFINITY } = exploration
  const longest = target.longest ?? LONGEST
  const scrambler = new Scrambler(random, target.tokens, longest)
  const corpus: string[] = []
  const crashes = new Set<string>()
  let executions = 0

  async function runAll(inputs: readonly string[]): Promise<void> {
    blackboard.write(inputs)
    for (let index = 0; index < inputs.length; index++) {
      const input = inputs[index]!
      const before = branches.taken
      blackboard.point(index)
      try {
        const pending = target.run(input)
        if (pending !== undefined) await pending
      } catch (error) {
        await report(input, error)
      }
      executions++
      if (branches.taken > before) corpus.push(input)
    }
  }

  async function report(input: string, first: unknown): Promise<void> {
    Error.stackTraceLimit = FRAMES
    const error = await thrownBy(() => target.run(input))
    const key = crashKey(error ?? first)
    if (!crashes.has(key)) {
      crashes.add(key)
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error ?? first)
      exploration.onCrash({ input: await shrink(input, key, each => target.run(each)), stack })
    }
    Error.stackTraceLimit = 0
  }

  const progress = (): Progress => ({
    executions,
    corpus,
    branches: branches.taken,
    ofBranches: branches.total,
  })

  const fresh = (): string => {
    if (random.below(16) === 0) return scrambler.soup()
    const [one, other] = [random.pick(corpus), random.pick(corpus)]
    const changed = scrambler.scramble(
      one.length > other.length && random.below(2) === 0 ? other : one,
      other,
    )
    return target.mend !== undefined && random.below(4) > 0 ? target.mend(changed) : changed
  }

  // Refusals are errors, and to note where each was made would take most of the time.
  Error.stackTraceLimit = 0
  // Short seeds come first: a long one that adds nothing is dropped.
  const seeds = [...new Set(['', ...target.seeds, ...exploration.known])]
  for (const seed of seeds.sort((a, b) => a.length - b.length)) await runAll([seed])
  if (corpus.length === 0) corpus.push(...seeds)
  const size = roundOf(longest)
  const began = process.threadCpuUsage()
  let told = performance.now()
  for (;;) {
    await runAll(Array.from({ length: size }, fresh))
    const { user, system } = process.threadCpuUsage(began)
    if ((user + system) / 1_000 >= exploration.time || executions >= most) return progress()
    const now = performance.now()
    if (now - told < PROGRESS_EVERY) continue
    told = now
    exploration.onProgress(progress())
    await turn()
  }
}
