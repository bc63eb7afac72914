import { setTimeout as pause } from 'node:timers/promises'
import { type Adversary, type Round, unexpected } from '../adversary.ts'
import type { Arena, Life } from '../arena.ts'
import { SPEED } from '../wall.ts'

const MINUTE = 60_000
/** Touches of disk and processes in a life of a second or so. */
const MOST_TOUCHES = 60

/** Waits for a moment of interest in the life of a daemon. */
type Moment = (arena: Arena, life: Life, round: Round) => Promise<unknown>

const anyMoment: Moment = (_arena, _life, { chance }) => pause(chance.between(0, 400))

const recovery: Moment = async (arena, life, { chance }) => {
  await arena.sees(life, 'loading')
  await pause(chance.between(0, 25))
}

const serving: Moment = async (arena, life, { chance }) => {
  await arena.sees(life, 'started_daemon')
  await pause(chance.between(0, 300))
}

/** Most periods are chosen at the turn of a minute; soon after it the journal is cut. */
const dueTime: Moment = async (arena, life, { chance }) => {
  await arena.sees(life, 'started_daemon')
  const left = (MINUTE - (arena.now() % MINUTE)) / SPEED
  await pause(left + chance.between(-5, 60))
}

const reload: Moment = async (arena, life, { chance, deeds }) => {
  if (!(await arena.sees(life, 'started_daemon'))) return
  life.child.kill('SIGHUP')
  deeds.reloads++
  await pause(chance.between(0, 40))
}

const MOMENTS: readonly Moment[] = [anyMoment, recovery, recovery, serving, dueTime, dueTime, reload]

/** kill -9: at a moment of interest from outside, or by its own hand at some touch of the disk. */
export const kill: Adversary = {
  name: 'kill',
  round: async round => {
    const { arena, chance, deeds } = round
    const byTouch = chance.happens(0.2)
    const death = { at: chance.between(1, MOST_TOUCHES), after: chance.happens(0.5) }
    const life = arena.launch(byTouch ? { death } : {})
    if (byTouch) await Promise.race([life.exit, serving(arena, life, round).then(() => pause(1_000))])
    else await chance.pick(MOMENTS)(arena, life, round)
    life.child.kill('SIGKILL')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    return unexpected(exit)
  },
}
