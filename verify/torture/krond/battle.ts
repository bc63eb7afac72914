import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { Chance } from '@kron/testkit/chance'
import { Account, type LogLine, type Violation } from './account.ts'
import { type Adversary, type Deeds, unexpected } from './adversary.ts'
import { Arena, type DaemonFiles, HISTORY } from './arena.ts'
import { durableStates } from './evidence.ts'
import { denseJob } from './jobs.ts'

const JOBS = 8
/** How often executions have to queue. */
const FEW_PLACES = 0.3

export interface BattleOptions {
  readonly adversary: Adversary
  readonly seed: string
  readonly rounds: number
  readonly directory: string
  readonly daemon: DaemonFiles
  readonly deeds: Deeds
  readonly isOver: () => boolean
  /** Called after every round. */
  readonly onRound?: (account: Account) => void
  /** Does something between lives that no daemon could withstand; only to show that it is noticed. */
  readonly sabotage?: (arena: Arena) => void
}

/** One adversary in one arena, round after round, with the books checked after each; ends with a calm life. */
export class Battle {
  readonly account = new Account(HISTORY)
  readonly directory: string
  private readonly arena: Arena
  private readonly options: BattleOptions
  private readonly chance: Chance
  private readonly identities = new Set<string>()
  private entered = 0

  constructor(options: BattleOptions) {
    this.options = options
    this.directory = options.directory
    this.chance = new Chance(options.seed)
    mkdirSync(options.directory, { recursive: true })
    this.arena = new Arena(options.directory, options.daemon)
    if (this.chance.happens(FEW_PLACES)) this.arena.flags = ['--max-concurrent', '2']
    const names = Array.from({ length: JOBS }, (_, i) => `job-${i}`)
    this.arena.writeJobs(names.map(name => denseJob(name, this.chance, this.arena.says)))
  }

  /** The violations; if there are any, the directory is kept. */
  async fight(): Promise<readonly Violation[]> {
    const { arena, account, chance } = this
    const { adversary, rounds, deeds, isOver, onRound, sabotage } = this.options
    const undo = adversary.prepare?.(arena)
    try {
      for (let left = rounds; left > 0 && !isOver(); left--) {
        deeds.lives++
        for (const what of await adversary.round({ arena, chance, deeds })) account.lost(what)
        sabotage?.(arena)
        await this.look()
        onRound?.(account)
        if (account.violations.length > 0) return this.keep()
      }
      await this.calm()
      return account.violations.length > 0 ? this.keep() : []
    } catch (error) {
      account.lost((error as Error).message)
      return this.keep()
    } finally {
      await arena.clear()
      undo?.()
      if (account.violations.length === 0) arena.remove()
    }
  }

  /** A life that nobody disturbs: it serves every job, and ends when it is asked to. */
  private async calm(): Promise<void> {
    const { arena, account } = this
    arena.stepToFurthest()
    this.options.adversary.calm?.(arena)
    arena.writeJobs(arena.lines().filter(line => line !== 'mistake'))
    const life = arena.launch()
    const waiting = new Set(arena.entries().map(each => each.identity))
    let looked = life.since
    const isServed = (line: LogLine): void => {
      if (line.event === 'decision') waiting.delete(line.identity ?? '')
    }
    await arena.waits(life, () => {
      arena.hurry()
      arena.pull().slice(looked).forEach(isServed)
      looked = arena.log.length
      return waiting.size === 0
    })
    life.child.kill('SIGTERM')
    for (const what of unexpected(await life.exit, 0)) account.lost(`${what} in a calm life`)
    await this.look()
  }

  /** Enters what is new: what children and log claim first, and then the states that must know of it. */
  private async look(): Promise<void> {
    const { arena, account, identities } = this
    for (const line of arena.ran()) account.ran(line)
    const log = arena.pull()
    for (; this.entered < log.length; this.entered++) {
      const line = log[this.entered]!
      account.logged(line)
      if (line.event === 'error' && /damaged/.test(String(line['message'])))
        account.unreadable(String(line['message']))
    }
    const entries = arena.entries()
    for (const { identity } of entries) identities.add(identity)
    try {
      for (const [identity, state] of await durableStates(arena.stateDir, identities, HISTORY)) {
        if (state instanceof Error) account.unreadable(state.message)
        else account.state(identity, state)
      }
    } catch (error) {
      account.unreadable((error as Error).message)
    }
    if (arena.isPlain) for (const entry of entries) account.gaps(entry)
  }

  private keep(): readonly Violation[] {
    const { violations } = this.account
    const text = violations.map(({ wrong, what }) => `${wrong}: ${what}\n`).join('')
    writeFileSync(`${this.directory}/violations`, text)
    // A mount would take it along.
    cpSync(this.arena.stateDir, `${this.directory}/state-kept`, { recursive: true })
    return violations
  }
}
