import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'

/** SIGSTOP and SIGCONT, also while it starts; in the end a kill or a clean stop. */
export const stop: Adversary = {
  name: 'stop',
  round: async ({ arena, chance, deeds }) => {
    const life = arena.launch()
    if (chance.happens(0.7)) await arena.sees(life, 'started_daemon')
    for (let left = chance.between(1, 3); left > 0 && life.ended === undefined; left--) {
      await pause(chance.between(0, 200))
      life.child.kill('SIGSTOP')
      deeds.stops++
      await pause(chance.pick([5, 50, 400, 2_500]))
      life.child.kill('SIGCONT')
    }
    await pause(chance.between(0, 200))
    const isKill = chance.happens(0.6) || !(await arena.sees(life, 'started_daemon'))
    life.child.kill(isKill ? 'SIGKILL' : 'SIGTERM')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    return unexpected(exit, 0)
  },
}
