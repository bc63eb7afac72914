import { setTimeout as sleep } from 'node:timers/promises'
import type { Registration } from '../../../../scheduler/src/index.ts'

const CRONS = ['* * * * *', '0,10,20,30,40,50 * * * *', '7 * * * *', '0 0 * * *']

/** Forty tasks of all kinds: quick and slow, some of which fail. */
export const registrations = (onCall: (name: string) => void): Registration[] =>
  Array.from({ length: 40 }, (_, index) => {
    const name = `task-${index}`
    const callback = async () => {
      onCall(name)
      if (index % 3 > 0) await sleep(index % 7)
      if (index % 5 === 0 && Math.random() < 0.5) throw new Error('now and then')
    }
    return [name, CRONS[index % CRONS.length]!, callback, (index % 4) * 30_000]
  })
