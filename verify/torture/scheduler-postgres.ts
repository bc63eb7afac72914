import { mkdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Chance } from '@kron/testkit/chance'
import { PostgresServer } from '../../packages/scheduler/e2e/postgres-server.ts'
import {
  assertNoDoubleStart,
  end,
  type Replica,
  startReplica,
  startsOf,
  until,
} from '../../packages/scheduler/e2e/replica-process.ts'
import { findPostgres } from '../postgres/find-postgres.ts'
import type { Defeat, Setting, Subject } from './subject.ts'

const REPLICAS = 2
const DEEDS = 12
/** Lies between the pauses of `stopOne`: a replica that is busy for this long may be given up, too. */
const SESSION_TIMEOUT = 1_500
/** An interrupt from the terminal is for the campaign, which then ends its round in good order. */
const DETACHED = { detached: true }

/** Replicas that share their tasks through one server, while both they and it come and go. */
class Shared {
  readonly figures = { kills: 0, stops: 0, serverStops: 0, executions: 0 }
  private readonly server: PostgresServer
  private readonly directory: string
  private readonly chance: Chance
  private readonly startedAt = Date.now()
  private readonly all: Replica[] = []

  constructor(server: PostgresServer, directory: string, chance: Chance) {
    this.server = server
    this.directory = directory
    this.chance = chance
    mkdirSync(directory, { recursive: true })
  }

  async torture(isOver: () => boolean): Promise<void> {
    await this.server.query('DROP TABLE IF EXISTS kron_schedulers, kron_scheduler_tasks')
    try {
      for (let left = DEEDS; left > 0 && !isOver(); left--) {
        await this.goesOn()
        await sleep(this.chance.between(0, 300))
        await this.chance.pick([this.killSome, this.killSome, this.stopOne, this.restartServer])()
      }
      await this.goesOn()
      await Promise.all(this.living().map(replica => end(replica, 'SIGTERM')))
    } finally {
      for (const replica of this.all) replica.process.kill('SIGKILL')
    }
    this.figures.executions = this.starts()
    assertNoDoubleStart(this.all)
  }

  private readonly killSome = async (): Promise<void> => {
    for (const replica of this.living().slice(0, this.chance.between(1, REPLICAS))) {
      await end(replica, 'SIGKILL')
      this.figures.kills++
    }
  }

  /** Long enough for the server to give it up, or not. */
  private readonly stopOne = async (): Promise<void> => {
    for (const { process } of this.living().slice(0, 1)) {
      process.kill('SIGSTOP')
      await sleep(this.chance.pick([200, 1_400, 3_000]))
      process.kill('SIGCONT')
      this.figures.stops++
    }
  }

  /** SIGQUIT is a crash: it has to recover from its log. */
  private readonly restartServer = async (): Promise<void> => {
    await this.server.stop(this.chance.pick(['SIGQUIT', 'SIGQUIT', 'SIGINT']))
    await sleep(this.chance.between(0, 300))
    await this.server.start()
    this.figures.serverStops++
  }

  /** In an order that chance decides. */
  private living(): Replica[] {
    const living = this.all.filter(({ process }) => process.exitCode === null && process.signalCode === null)
    return this.chance.happens(0.5) ? living : living.reverse()
  }

  /** One that began while there was no server has given up. */
  private fillUp(): void {
    const options = { sessionTimeout: SESSION_TIMEOUT, ...DETACHED }
    while (this.living().length < REPLICAS)
      this.all.push(startReplica(this.directory, this.server.url, this.startedAt, options))
  }

  private starts(): number {
    return this.all.reduce((count, replica) => count + startsOf(replica).length, 0)
  }

  private async goesOn(): Promise<void> {
    const before = this.starts()
    await until('tasks are started', () => {
      this.server.assertRunning()
      this.fillUp()
      return this.starts() > before + 20
    })
  }
}

export const schedulerPostgres: Subject = {
  name: 'scheduler-postgres',
  key: 'schedulerPostgres',
  parts: [],
  byDefault: true,
  obstacle: () => (findPostgres() === undefined ? 'there is no PostgreSQL server' : undefined),
  run: async (setting: Setting) => {
    process.env['KRON_POSTGRES'] = findPostgres()!
    const server = await PostgresServer.create(DETACHED)
    const defeats: Defeat[] = []
    try {
      for (let round = 0; defeats.length === 0 && !setting.isOver(); round++) {
        const directory = `${setting.directory}/round-${round}`
        const shared = new Shared(server, directory, new Chance(`${setting.seed}/${round}`))
        try {
          await shared.torture(setting.isOver)
          rmSync(directory, { recursive: true, force: true })
        } catch (error) {
          defeats.push({ what: `${directory}: ${(error as Error).message}` })
        }
        setting.onPart({ ...shared.figures, violations: defeats.length })
        setting.onProgress({ rounds: round + 1, ...shared.figures })
      }
    } finally {
      await server.destroy()
    }
    return defeats
  },
}
