import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../measure.ts'
import { printRatio, printTable, printTarget } from '../table.ts'
import { peerDaemons } from './cron.ts'
import { BenchDaemon } from './daemon.ts'
import { inMs, pause, spread, stampsIn, type Workshop } from './workshop.ts'

const AT_ONCE = 1_000
const KROND = 'krond, every start durable first'
const BARE = 'bare C loop of posix_spawn'

/** When the last of a thousand jobs of the same second begins. One after the other in every round, the order rotating. */
export async function burst({ directory, stamp, bareSpawn }: Workshop, rounds: number): Promise<void> {
  let runs = 0
  const newFile = (): string => {
    const file = join(directory, `burst-${++runs}`)
    writeFileSync(file, '')
    return file
  }
  const bare = async (): Promise<number> => {
    const file = newFile()
    const began = Date.now()
    spawnSync(bareSpawn, [String(AT_ONCE), stamp, file])
    return Math.max(...stampsIn(file)) / 1e6 - began
  }
  const krond = async (): Promise<number> => {
    const file = newFile()
    const line = (i: number): string => `* * * * * name=job-${i} command="${stamp} ${file}"\n`
    const daemon = new BenchDaemon(Array.from({ length: AT_ONCE }, (_, i) => line(i)).join(''))
    await clearOfTheMinute()
    await daemon.start()
    const last = await lastOfBurst(file)
    await daemon.stop()
    daemon.discard()
    return last
  }
  const contenders = new Map([
    [BARE, bare],
    [KROND, krond],
  ])
  for (const make of peerDaemons()) {
    contenders.set(make().name, async () => {
      const file = newFile()
      const peer = make()
      await clearOfTheMinute()
      peer.start(Array.from({ length: AT_ONCE }, () => `* * * * * ${stamp} ${file}`))
      const last = await lastOfBurst(file)
      await peer.stop()
      return last
    })
  }
  const results = new Map([...contenders.keys()].map(name => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    const names = [...contenders.keys()]
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!
      results.get(name)!.push(await contenders.get(name)!())
    }
  }
  const timesBare = (name: string): number[] =>
    results.get(name)!.map((ms, round) => ms / results.get(BARE)![round]!)
  printTable(
    [`last of ${AT_ONCE} due in one second, ${rounds} rounds`, 'after', 'of the bare loop'],
    [...results].map(([name, ms]) => [name, inMs(median(ms)), printRatio(spread(timesBare(name)))]),
  )
  printTarget('last of 1,000 in one second', spread(timesBare(KROND)), 'at most', 1.5, '× of a bare C loop')
}

/** A full minute must not begin while a daemon is still loading. */
async function clearOfTheMinute(): Promise<void> {
  if (Date.now() % 60_000 > 50_000) await pause(60_000 - (Date.now() % 60_000) + 100)
}

async function lastOfBurst(file: string): Promise<number> {
  while (stampsIn(file).length < AT_ONCE) await pause(100)
  const stamps = stampsIn(file).slice(0, AT_ONCE)
  return Math.max(...stamps.map(at => (at % 60e9) / 1e6))
}
