import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'
import { fakedWall, fakedWallObstacle } from '../wall.ts'

const JUMPS = [-86_400, -3_600, -60, 60, 120, 3_600, 86_400]
const MINUTE = 60_000
/** Seconds before a period to which the clock is set, so that the daemon still has to wait for it. */
const LEAD = 300

/** Nothing but libfaketime stands between the delivered daemon and the machine: jumps, often to just before periods. */
export const faketime: Adversary = {
  name: 'faketime',
  obstacle: fakedWallObstacle,
  prepare: arena => {
    arena.wall = fakedWall(arena.directory)
    arena.step(0)
    return () => {}
  },
  round: async ({ arena, chance, deeds }) => {
    const life = arena.launch()
    await arena.sees(life, 'started_daemon')
    for (let left = chance.between(1, 4); left > 0; left--) {
      const toMinute = MINUTE - (arena.now() % MINUTE) - LEAD
      arena.step(toMinute + (chance.happens(0.3) ? chance.pick(JUMPS) * 1_000 : 0))
      deeds.clockJumps++
      await pause(chance.between(0, 600))
    }
    life.child.kill(chance.happens(0.8) ? 'SIGKILL' : 'SIGTERM')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    return unexpected(exit, 0)
  },
}
