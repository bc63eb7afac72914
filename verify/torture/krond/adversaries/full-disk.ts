import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'
import { mountObstacle, run } from './mounts.ts'

const PAGE = 4_096
const SIZE = 2_097_152

/** Fills the file system but for some pages. */
function fill(path: string, spare: number): void {
  const fd = openSync(path, 'a')
  let size = 0
  try {
    for (;;) size += writeSync(fd, Buffer.alloc(PAGE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    ftruncateSync(fd, Math.max(0, size - spare * PAGE))
  } finally {
    closeSync(fd)
  }
}

/** A state directory on a small file system that is full before the start or gets full meanwhile. */
export const fullDisk: Adversary = {
  name: 'full-disk',
  obstacle: mountObstacle,
  prepare: ({ stateDir }) => {
    run('mount', '-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'tmpfs', stateDir)
    return () => run('umount', '-l', stateDir)
  },
  round: async ({ arena, chance, deeds }) => {
    const filler = `${arena.stateDir}/filler`
    const first = chance.happens(0.2)
    if (first) fill(filler, chance.between(0, 3))
    const life = arena.launch()
    try {
      await arena.sees(life, 'started_daemon')
      await pause(chance.between(0, 600))
      if (!first && life.ended === undefined) fill(filler, chance.between(0, 5))
      deeds.fullDisk++
      await Promise.race([life.exit, pause(chance.between(100, 2_500))])
      life.child.kill('SIGKILL')
      const exit = await life.exit
      if (exit.signal === 'SIGKILL') deeds.kills++
      return unexpected(exit, 2, 4)
    } finally {
      rmSync(filler, { force: true })
    }
  },
}
