import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, type Deeds, unexpected } from '../adversary.ts'
import type { Life } from '../arena.ts'

/** The figure that counts the kills of a kind of process. */
type Victim = keyof Pick<Deeds, 'kills' | 'serveKills' | 'shimKills' | 'jobKills'>

const VICTIMS: readonly Victim[] = ['kills', 'serveKills', 'shimKills', 'shimKills', 'jobKills']
/** Enough for the jobs of a minute to start. */
const PATIENCE = 1_500

/** The living children of each process. */
function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)])
    } catch {
      // It has ended meanwhile.
    }
  }
  return children
}

/** serve is the child of krond, shims are those of serve, and commands those of shims. */
function find(victim: Victim, krond: number): readonly number[] {
  const children = childrenByParent()
  let found: readonly number[] = [krond]
  for (let depth = ['kills', 'serveKills', 'shimKills', 'jobKills'].indexOf(victim); depth > 0; depth--)
    found = found.flatMap(pid => children.get(pid) ?? [])
  return found
}

async function lurk(victim: Victim, life: Life): Promise<readonly number[]> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const found = find(victim, life.pid)
    if (found.length > 0 || life.ended !== undefined || Date.now() > end) return found
    await pause(2)
  }
}

/** kill -9 of krond, serve, a shim or a command. krond may exit 4, and only because serve is gone. */
export const killAny: Adversary = {
  name: 'kill-any',
  round: async ({ arena, chance, deeds }) => {
    const life = arena.launch()
    let isServeKilled = false
    const isUp = await arena.sees(life, 'started_daemon')
    for (let left = isUp ? chance.between(1, 6) : 0; left > 0 && life.ended === undefined; left--) {
      await pause(chance.between(0, 200))
      const victim = chance.pick(VICTIMS)
      if (victim === 'kills') break
      const found = await lurk(victim, life)
      try {
        if (found.length === 0 || life.ended !== undefined) continue
        process.kill(chance.pick(found), 'SIGKILL')
        deeds[victim]++
        isServeKilled ||= victim === 'serveKills'
      } catch {
        // It has ended meanwhile.
      }
    }
    if (isServeKilled) await Promise.race([life.exit, pause(chance.between(0, 2_000))])
    life.child.kill('SIGKILL')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    return isServeKilled ? unexpected(exit, 4) : unexpected(exit)
  },
}
