import { type Site, siteName } from './sites.ts'
import { type Assignment, type MeasuredTest, type Trial, watch } from './watch.ts'

export interface Campaign {
  readonly sources: readonly string[]
  readonly testFiles: readonly string[]
  readonly slowTests: readonly string[]
  /** One in this many places is tried. */
  readonly every: number
  readonly onProgress: (line: string) => void
}

export interface Findings {
  readonly tried: readonly Site[]
  readonly survivors: readonly Site[]
  /** Places that no test reaches. */
  readonly unreached: readonly Site[]
}

/** Milliseconds of tests that are run for one mutant at most. */
const WORTH = 3_000

/** Modules that cache their results. */
const KEEPS = /\/zone\//

/** Applies one mutation after the other and checks whether a test notices it. */
export async function mutate({ every, onProgress, ...files }: Campaign): Promise<Findings> {
  const base: Assignment = { ...files, active: -1 }
  const { sites, tests, loading } = await measure(base, onProgress)
  const chosen = sites.map((_, site) => site).filter(site => site % every === 0)
  const trialOf = (site: number, of: readonly MeasuredTest[]): Trial => ({ site, tests: affordable(of) })
  const passing = (site: number): MeasuredTest[] => tests.filter(test => test.reached.includes(site))
  const quick = chosen.map(site => trialOf(site, passing(site))).filter(trial => trial.tests.length > 0)
  const unsure = await tryAll(base, quick, onProgress, sites)
  const isKept = (site: number): boolean => loading.has(site) || KEEPS.test(sites[site]!.file)
  // Tried again from the start: values that modules compute while they load, or cache, were not mutated before.
  const again = [
    ...unsure.filter(isKept).map(site => trialOf(site, passing(site))),
    ...chosen
      .filter(site => loading.has(site) && passing(site).length === 0)
      .map(site => trialOf(site, tests)),
  ]
  const survivors: Site[] = unsure.filter(site => !isKept(site)).map(site => sites[site]!)
  for (const [done, trial] of again.entries()) {
    const left = await tryAll({ ...base, active: trial.site }, [trial], () => {}, sites)
    for (const site of left) survivors.push(sites[site]!)
    onProgress(`${done + 1} of ${again.length} from the start, ${survivors.length} survive`)
  }
  const unreached = chosen.filter(site => !loading.has(site) && passing(site).length === 0)
  const siteOf = (site: number): Site => sites[site]!
  return { tried: chosen.map(siteOf), survivors, unreached: unreached.map(siteOf) }
}

async function measure(base: Assignment, onProgress: (line: string) => void) {
  const tests: MeasuredTest[] = []
  let sites: readonly Site[] = []
  let loading: ReadonlySet<number> = new Set()
  await watch(base, message => {
    if (message.kind === 'sites') {
      sites = message.sites
      loading = new Set(message.reachedByLoading)
    }
    if (message.kind === 'test' && !message.test.failed) tests.push(message.test)
    if (message.kind === 'test' && message.test.failed) onProgress(`fails by itself: ${message.test.name}`)
  })
  onProgress(`${sites.length} places, ${tests.length} tests`)
  return { sites, tests, loading }
}

/** The quickest tests first, as long as they are worth it. */
function affordable(tests: readonly MeasuredTest[]): Trial['tests'] {
  const chosen: MeasuredTest[] = []
  let time = 0
  for (const test of tests.toSorted((a, b) => a.time - b.time)) {
    time += test.time
    if (time <= WORTH) chosen.push(test)
  }
  return chosen.map(({ index, time: expected }) => ({ index, time: expected }))
}

/** The places that no test noticed. A worker that hangs or dies has noticed; the next goes on behind it. */
async function tryAll(
  base: Assignment,
  trials: readonly Trial[],
  onProgress: (line: string) => void,
  sites: readonly Site[],
): Promise<number[]> {
  const left: number[] = []
  let done = 0
  while (done < trials.length) {
    const begun = done
    const ended = await watch({ ...base, trials: trials.slice(done) }, message => {
      if (message.kind !== 'verdict') return
      done++
      if (!message.noticed) {
        left.push(message.site)
        onProgress(`unnoticed: ${siteName(sites[message.site]!)}`)
      }
      if (done % 50 === 0) onProgress(`${done} of ${trials.length} tried, ${left.length} unnoticed so far`)
    })
    if (!ended || done === begun) done++
  }
  return left
}
