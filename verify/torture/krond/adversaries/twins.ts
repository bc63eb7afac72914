import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'
import type { Life } from '../arena.ts'

/** Several daemons at once on one state directory; the holder of the lock is killed, and others start at once. */
export const twins: Adversary = {
  name: 'twins',
  round: async ({ arena, chance, deeds }) => {
    const lives: Life[] = []
    const wrong: string[] = []
    for (let left = chance.between(2, 4); left > 0; left--) {
      lives.push(arena.launch())
      deeds.twins++
      await pause(chance.between(0, 120))
    }
    await pause(chance.between(0, 500))
    while (lives.length > 0) {
      const [life] = lives.splice(chance.between(0, lives.length - 1), 1) as [Life]
      life.child.kill('SIGKILL')
      const exit = await life.exit
      if (exit.signal === 'SIGKILL') deeds.kills++
      wrong.push(...unexpected(exit, 3))
      if (chance.happens(0.5)) await pause(chance.between(0, 100))
    }
    return wrong
  },
}
