import { takeBack } from './ahead.ts'
import { alarmOutdated } from './clock-state.ts'
import type { Message } from './effect.ts'
import { end } from './run.ts'
import type { DriverState } from './state.ts'

/** No new run starts from here on. */
export function stop(state: DriverState, { mode, done }: Extract<Message, { kind: 'stop' }>): void {
  state.isStopped = true
  state.clock = alarmOutdated(state.clock)
  for (const each of state.waiting.splice(0)) state.attempts.remove(each)
  for (const each of state.attempts.occupying()) takeBack(state, each)
  state.stops.push({ mode, done })
  checkStops(state)
}

/** Answers the stops whose runs have ended, or outlive the daemon. A run that is still looked for may go on. */
export function checkStops(state: DriverState): void {
  const { attempts, lookups, stops, effects } = state
  if (stops.length === 0) return
  const all = [...attempts.occupying()]
  if (
    all.some(
      ({ stage }) => stage.phase === 'intended' || (stage.phase === 'running' && !stage.isStartConcluded),
    )
  )
    return
  const left = attempts.running()
  if (stops.some(each => each.mode === 'terminate')) for (const each of left) end(state, each, 'shutdown')
  state.stops = stops.filter(({ mode, done }) => {
    const isOver = mode === 'leave' || (left.length === 0 && lookups.size === 0)
    if (isOver) effects.push({ kind: 'reply', reply: done })
    return !isOver
  })
}
