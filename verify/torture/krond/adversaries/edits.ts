import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '@kron/testkit/chance'
import { type Adversary, unexpected } from '../adversary.ts'
import type { Arena } from '../arena.ts'
import { denseJob } from '../jobs.ts'

const MOST_JOBS = 12

/** Other jobs, fewer or more of them, sometimes with a mistake, in place or by rename. */
function edit(arena: Arena, chance: Chance): void {
  arena.isPlain = false
  const old = arena.lines()
  const names = Array.from({ length: MOST_JOBS }, (_, i) => `job-${i}`)
  const lines = names.flatMap(name => {
    const kept = old.find(line => line.includes(` name=${name} `))
    if (kept !== undefined && chance.happens(0.8)) return [kept]
    return chance.happens(0.7) ? [denseJob(name, chance, arena.says)] : []
  })
  if (chance.happens(0.15)) lines.push('mistake')
  if (chance.happens(0.5)) return arena.writeJobs(lines)
  const temporary = `${arena.directory}/edited`
  writeFileSync(temporary, `${lines.join('\n')}\n`)
  renameSync(temporary, arena.jobFile)
}

/** Job files change and reloads come in storms; then a kill, often in the middle of one. */
export const edits: Adversary = {
  name: 'edits',
  round: async ({ arena, chance, deeds }) => {
    const life = arena.launch()
    const isUp = await arena.sees(life, 'started_daemon')
    for (let left = isUp ? chance.between(1, 6) : 1; left > 0; left--) {
      edit(arena, chance)
      deeds.edits++
      for (let again = chance.between(0, 2); again > 0; again--) {
        if (isUp) life.child.kill('SIGHUP')
        deeds.reloads++
        await pause(chance.between(0, 30))
      }
      await pause(chance.between(0, 150))
    }
    life.child.kill(chance.happens(0.8) ? 'SIGKILL' : 'SIGTERM')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    // A file with a mistake, or half of one, is refused at the start.
    return unexpected(exit, 0, 1)
  },
}
