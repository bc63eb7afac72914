import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'

const JUMPS = [-86_400, -3_600, -120, -30, -2, 2, 30, 120, 3_600, 86_400]

/** The wall clock is stepped while the daemon runs and while it is down. */
export const clock: Adversary = {
  name: 'clock',
  round: async ({ arena, chance, deeds }) => {
    if (chance.happens(0.4)) {
      arena.step(chance.pick(JUMPS) * 1_000)
      deeds.clockJumps++
    }
    const life = arena.launch()
    for (let left = chance.between(1, 3); left > 0; left--) {
      if (!(await arena.sees(life, 'started_daemon'))) break
      await pause(chance.between(0, 500))
      arena.step(chance.pick(JUMPS) * 1_000, life)
      deeds.clockJumps++
    }
    await pause(chance.between(0, 300))
    life.child.kill(chance.happens(0.7) ? 'SIGKILL' : 'SIGTERM')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    return unexpected(exit, 0)
  },
}
