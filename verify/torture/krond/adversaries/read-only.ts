import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'
import { mountObstacle, run } from './mounts.ts'

const ATTEMPTS = 50

/** A mount over the directory: a remount of its own would be refused while the journal is open. */
function makeReadOnly(directory: string): () => void {
  const undo = (): void => run('umount', '-l', directory)
  for (let attempt = 1; ; attempt++) {
    run('mount', '--bind', directory, directory)
    try {
      run('mount', '-o', 'remount,bind,ro', directory)
      return undo
    } catch (error) {
      // The daemon has opened something in between.
      undo()
      if (attempt === ATTEMPTS) throw error
    }
  }
}

/** A state directory that is read-only before the start, while it starts, or from some moment on. */
export const readOnly: Adversary = {
  name: 'read-only',
  obstacle: mountObstacle,
  round: async ({ arena, chance, deeds }) => {
    const when = chance.pick(['before', 'early', 'later', 'later'])
    let undo = when === 'before' ? makeReadOnly(arena.stateDir) : undefined
    const life = arena.launch()
    try {
      if (when === 'early') await pause(chance.between(0, 250))
      if (when === 'later') {
        await arena.sees(life, 'started_daemon')
        await pause(chance.between(0, 600))
      }
      undo ??= makeReadOnly(arena.stateDir)
      deeds.readOnly++
      await Promise.race([life.exit, pause(chance.between(200, 2_500))])
    } finally {
      life.child.kill('SIGKILL')
      await life.exit
      undo?.()
    }
    if (life.ended?.signal === 'SIGKILL') deeds.kills++
    return unexpected(life.ended!, 2, 4)
  },
}
