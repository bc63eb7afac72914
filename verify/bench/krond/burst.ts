import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../measure.ts'
import { StealWatch } from '../steal.ts'
import { printRatio, printTable, printTarget } from '../table.ts'
import { type Burst, countedRounds } from './counted-rounds.ts'
import { peerDaemons } from './cron.ts'
import { BenchDaemon } from './daemon.ts'
import { inMs, pause, spread, stampsIn, type Workshop } from './workshop.ts'

const AT_ONCE = 1_000
const KROND = 'krond, every start durable first'
const BARE = 'bare C loop of posix_spawn'
interface Rounds {
  readonly rounds: number
  /** A cron needs a whole minute for each: it takes part in this many rounds only. */
  readonly withPeers: number
}

/** When the last of a thousand jobs of the same second begins. One after the other in every round, the order rotating. */
export async function burst(
  { directory, stamp, bareSpawn }: Workshop,
  { rounds, withPeers }: Rounds,
): Promise<void> {
  let runs = 0
  const newFile = (): string => {
    const file = join(directory, `burst-${++runs}`)
    writeFileSync(file, '')
    return file
  }
  const bareOnce = (): number => {
    const file = newFile()
    const began = Date.now()
    spawnSync(bareSpawn, [String(AT_ONCE), stamp, file])
    return Math.max(...stampsIn(file)) / 1e6 - began
  }
  const bare = async (): Promise<Burst> => {
    const steal = new StealWatch()
    return { last: median([bareOnce(), bareOnce(), bareOnce()]), stolen: steal.look() }
  }
  const krond = async (): Promise<Burst> => {
    const file = newFile()
    const line = (i: number): string => `* * * * * name=job-${i} command="${stamp} ${file}"\n`
    const daemon = new BenchDaemon(Array.from({ length: AT_ONCE }, (_, i) => line(i)).join(''))
    await clearOfTheMinute()
    await daemon.start()
    const result = await nextBurst(file)
    await daemon.stop()
    daemon.discard()
    return result
  }
  const contenders = new Map([
    [BARE, bare],
    [KROND, krond],
  ])
  const own = contenders.size
  for (const make of peerDaemons()) {
    contenders.set(make().name, async () => {
      const file = newFile()
      const peer = make()
      await clearOfTheMinute()
      peer.start(Array.from({ length: AT_ONCE }, () => `* * * * * ${stamp} ${file}`))
      const result = await nextBurst(file)
      await peer.stop()
      return result
    })
  }
  const names = [...contenders.keys()]
  const all: Map<string, Burst>[] = []
  for (let round = 0; round < rounds; round++) {
    const results = new Map<string, Burst>()
    const there = round < withPeers ? names : names.slice(0, own)
    for (let turn = 0; turn < there.length; turn++) {
      const name = there[(turn + round) % there.length]!
      results.set(name, await contenders.get(name)!())
    }
    all.push(results)
  }
  const roundsOf = new Map(names.map(name => [name, countedRounds(all, name, BARE)]))
  const times = (name: string): number[] => roundsOf.get(name)!.counted.map(each => each.get(name)!.last)
  const timesBare = (name: string): number[] =>
    roundsOf.get(name)!.counted.map(each => each.get(name)!.last / each.get(BARE)!.last)
  printTable(
    [`last of ${AT_ONCE} due in one second`, 'rounds', 'undisturbed', 'counted', 'after', 'of the bare loop'],
    names.map(name => {
      const { own, quiet, counted } = roundsOf.get(name)!
      return [
        name,
        ...[own, quiet, counted].map(each => String(each.length)),
        inMs(median(times(name))),
        printRatio(spread(timesBare(name))),
      ]
    }),
  )
  printTable(
    ['every round: krond to the bare loop', ...all.map((_, i) => String(i + 1))],
    [
      ['ratio', ...all.map(results => (results.get(KROND)!.last / results.get(BARE)!.last).toFixed(2))],
      ...[BARE, KROND].map(name => [
        `stolen, ${name}`,
        ...all.map(results => `${(results.get(name)!.stolen * 100).toFixed(1)} %`),
      ]),
    ],
  )
  printTarget('last of 1,000 in one second', spread(timesBare(KROND)), 'at most', 1.2, '× of a bare C loop')
}

/** A full minute must not begin while a daemon is still loading. */
async function clearOfTheMinute(): Promise<void> {
  if (Date.now() % 60_000 > 50_000) await pause(60_000 - (Date.now() % 60_000) + 100)
}

async function nextBurst(file: string): Promise<Burst> {
  await pause(60_000 - (Date.now() % 60_000))
  const steal = new StealWatch()
  while (stampsIn(file).length < AT_ONCE) await pause(100)
  const stamps = stampsIn(file).slice(0, AT_ONCE)
  return { last: Math.max(...stamps.map(at => (at % 60e9) / 1e6)), stolen: steal.look() }
}
