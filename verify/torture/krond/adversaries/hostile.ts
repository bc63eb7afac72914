import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, unexpected } from '../adversary.ts'
import type { Arena } from '../arena.ts'
import { HOSTILE, hostileJob } from '../hostile-jobs.ts'
import { Tail } from '../tail.ts'
import { mountObstacle, run } from './mounts.ts'

const SIZE = 4_194_304

/** The harmless job lines for the calm life of each arena. */
const peaceful = new WeakMap<Arena, readonly string[]>()
/** The kills that the jobs of each arena have noted. */
const noted = new WeakMap<Arena, Tail>()

/** The jobs themselves: they rename, daemonise, multiply, flood, and kill shims and serve. The daemon may only exit 4. */
export const hostile: Adversary = {
  name: 'hostile',
  obstacle: mountObstacle,
  prepare: arena => {
    const disk = `${arena.directory}/disk`
    mkdirSync(disk)
    run('mount', '-t', 'tmpfs', '-o', `size=${SIZE},mode=0777`, 'tmpfs', disk)
    // The states lie on the disk that a job fills.
    run('mount', '--bind', disk, arena.stateDir)
    chmodSync(arena.stateDir, 0o700)
    chmodSync(arena.directory, 0o755)
    chmodSync(`${arena.directory}/ran`, 0o666)
    peaceful.set(arena, arena.lines())
    noted.set(arena, new Tail(`${arena.directory}/kills`))
    return () => {
      run('umount', '-l', arena.stateDir)
      run('umount', '-l', disk)
    }
  },
  calm: arena => {
    // A job that was killed did not remove it.
    rmSync(`${arena.directory}/disk/filler`, { force: true })
    arena.writeJobs(peaceful.get(arena)!)
  },
  round: async ({ arena, chance, deeds }) => {
    // A full disk makes periods wait, so the books cannot know which of them run.
    arena.isPlain = false
    arena.writeJobs(
      HOSTILE.filter(() => chance.happens(0.7)).map(deed =>
        hostileJob(deed, chance, arena.says, arena.directory),
      ),
    )
    const life = arena.launch()
    if (await arena.sees(life, 'started_daemon')) deeds.hostileJobs += arena.entries().length
    await Promise.race([life.exit, pause(chance.between(500, 4_000))])
    life.child.kill('SIGKILL')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    for (const victim of noted.get(arena)!.lines()) deeds[victim === 'serve' ? 'serveKills' : 'shimKills']++
    return unexpected(exit, 2, 4)
  },
}
