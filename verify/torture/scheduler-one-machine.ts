import { Chance } from '@kron/testkit/chance'
import type { StoreKind } from '@kron/testkit/scheduler/restart/lasting-store'
import { Lives } from '@kron/testkit/scheduler/restart/lives'
import type { Defeat, Subject } from './subject.ts'

/** Longer chains would make the theory's check of all events the slowest part. */
const LIVES = 40

/** Processes that schedule on a store of one machine are killed; the theory must explain the events that they wrote down. */
const schedulerOn = (kind: StoreKind, key: string): Subject => ({
  name: `scheduler-${kind}`,
  key,
  parts: [],
  byDefault: true,
  obstacle: () => undefined,
  run: async setting => {
    const chance = new Chance(setting.seed)
    const defeats: Defeat[] = []
    for (let chain = 0; defeats.length === 0 && !setting.isOver(); chain++) {
      const directory = `${setting.directory}/chain-${chain}`
      const lives = new Lives(kind, directory)
      try {
        while (lives.kills < LIVES && !setting.isOver()) {
          const from = chance.happens(0.3) ? 'birth' : 'first call'
          await lives.next({ lifetime: chance.between(0, 120), from })
          setting.onProgress({ kills: lives.kills, executions: lives.calls, orphans: lives.orphans })
        }
        lives.check()
      } catch (error) {
        defeats.push({ what: `${directory}: ${(error as Error).message}` })
      }
      const { kills, calls: executions, orphans } = lives
      setting.onPart({ kills, executions, orphans, violations: defeats.length })
      if (defeats.length === 0) lives.remove()
    }
    return defeats
  },
})

export const schedulerFile = schedulerOn('file', 'schedulerFile')
export const schedulerSqlite = schedulerOn('sqlite', 'schedulerSqlite')
