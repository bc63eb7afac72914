import { sum } from '../record.ts'
import type { Defeat, Figures, Setting, Subject } from '../subject.ts'
import type { Wrong } from './account.ts'
import { ADVERSARIES } from './adversaries/index.ts'
import { type Adversary, type Deeds, noDeeds } from './adversary.ts'
import { Battle } from './battle.ts'
import { bundleKrond } from './bundle.ts'

const noWrongs = (): Record<Wrong, number> => ({ duplicates: 0, changedOutcomes: 0, unreadable: 0, lost: 0 })

/** Battles, some at a time, until enough was done or one is lost. */
class Campaign {
  readonly defeats: Defeat[] = []
  private readonly setting: Setting
  private readonly adversaries: readonly Adversary[]
  private readonly entry: string
  private figures: Figures = {}
  /** The current actions of the battles that are not over. */
  private readonly open = new Set<Deeds>()
  private battles = 0

  constructor(setting: Setting, adversaries: readonly Adversary[], entry: string) {
    this.setting = setting
    this.adversaries = adversaries
    this.entry = entry
  }

  async run(): Promise<void> {
    // A life that ends by itself leaves its compiled code to all that will be killed.
    await this.battle(this.adversaries[0]!, 0)
    await Promise.all(Array.from({ length: this.setting.lanes }, () => this.lane()))
  }

  private isOver(): boolean {
    const { setting, defeats } = this
    return defeats.length > 0 || setting.isOver() || (this.soFar()['kills'] ?? 0) >= setting.kills
  }

  private soFar(): Figures {
    return [...this.open].reduce((figures, deeds) => sum(figures, { ...deeds }), this.figures)
  }

  private async lane(): Promise<void> {
    const { adversaries, setting } = this
    while (!this.isOver()) {
      await this.battle(adversaries[(this.battles - 1) % adversaries.length]!, setting.rounds)
    }
  }

  private async battle(adversary: Adversary, rounds: number): Promise<void> {
    const { setting } = this
    const number = this.battles++
    const seed = `${setting.seed}/${number}`
    const deeds = noDeeds()
    this.open.add(deeds)
    const battle = new Battle({
      adversary,
      seed,
      rounds,
      directory: `${setting.directory}/arena-${number}`,
      daemon: { entry: this.entry, cache: `${setting.directory}/cache` },
      deeds,
      isOver: () => this.isOver(),
      onRound: () => setting.onProgress(this.soFar()),
    })
    const violations = await battle.fight()
    this.open.delete(deeds)
    const wrongs = noWrongs()
    for (const { wrong } of violations) wrongs[wrong]++
    const part = { ...deeds, ...battle.account.entered, ...wrongs }
    this.figures = sum(this.figures, part)
    setting.onPart(part)
    for (const { wrong, what } of violations) {
      this.defeats.push({ what: `krond, ${adversary.name}, seed ${seed}: ${wrong}: ${what}` })
    }
  }
}

export const krond: Subject = {
  name: 'krond',
  key: 'krond',
  parts: ADVERSARIES.map(each => each.name),
  byDefault: true,
  obstacle: () => (process.platform === 'linux' ? undefined : 'krond runs on Linux'),
  run: async setting => {
    const isAll = setting.only.length === 0 || setting.only.includes('krond')
    const adversaries = ADVERSARIES.filter(each => {
      if (!isAll && !setting.only.includes(each.name)) return false
      const obstacle = each.obstacle?.()
      if (obstacle !== undefined) console.log(`torture: without ${each.name}: ${obstacle}`)
      return obstacle === undefined
    })
    if (adversaries.length === 0) return []
    const bundle = await bundleKrond('dist')
    try {
      const campaign = new Campaign(setting, adversaries, bundle.entry)
      await campaign.run()
      return campaign.defeats
    } finally {
      bundle.remove()
    }
  },
}
