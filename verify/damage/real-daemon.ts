import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { Chance } from '@kron/testkit/chance'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import type { LogLine } from '@kron/testkit/krond/blackbox/log-file'
import { ranTwice } from '@kron/testkit/once/once'

const REPORTS = new Set(['state_corrupt', 'error', 'journal_cut'])
/** Warnings about damage; there are others. */
const DAMAGE = /damaged/
/** Damage to the history of runs that ended with an unknown status is reported with their end. */
const isReport = ({ event, message, reason }: LogLine): boolean =>
  REPORTS.has(event) ||
  (event === 'warning' && DAMAGE.test(String(message))) ||
  (event === 'finished' && reason === 'unknown')

interface Damaged {
  readonly kind: 'state' | 'journal' | 'claim' | 'end record'
  readonly path: string
}

/**
 * Flips `count` random bits, one at a time, in the files of a real daemon that was killed with jobs in every phase, and
 * starts the next one. The children count. Returns the number of failures.
 */
export async function damageRealDaemon(count: number): Promise<number> {
  const after: (() => void)[] = []
  const context = { after: (act: () => void) => after.push(act) } as unknown as TestContext
  const chance = new Chance(count)
  const krond = new Krond(context, { speed: 60 })
  krond.write([
    krond.job('* * * * * @policy(deadline=10m)', 'brief', `${krond.says}; sleep 0.4`),
    krond.job('*/5 * * * * @win(after,30m) @policy(deadline=10m)', 'windowed'),
    krond.job('* * * * * @policy(concurrency=allow,deadline=10m)', 'allowed', `${krond.says}; sleep 2`),
    '* * * * * @policy(deadline=30s) name=missing command=/nonexistent/program',
  ])
  const tally = new Map<string, { flips: number; refused: number; reported: number; silent: number }>()
  let failures = 0
  try {
    await krond.start()
    for (let flip = 0; flip < count; flip++) {
      const before = krond.ran().length
      await krond.eventually(() => krond.ran().length > before + 3, 'runs')
      await krond.stop('SIGKILL')
      // Runs end without a daemon.
      await new Promise(resolve => setTimeout(resolve, chance.between(0, 900)))
      const kinds = ['state', 'journal', 'claim', 'end record'] as const
      const files = filesOf(krond).filter(each => each.kind === kinds[flip % kinds.length])
      if (files.length === 0) {
        await krond.start()
        continue
      }
      const { kind, path } = chance.pick(files)
      const intact = readFileSync(path)
      const bytes = Buffer.from(intact)
      const bit = chance.between(0, written(intact) * 8 - 1)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, bytes)
      const seen = krond.log.length
      await krond.start()
      const figures = tally.get(kind) ?? { flips: 0, refused: 0, reported: 0, silent: 0 }
      tally.set(kind, figures)
      figures.flips++
      const isUp = krond.log.slice(seen).some(each => each.event === 'started_daemon')
      if (!isUp) {
        figures.refused++
        writeFileSync(path, intact)
        await krond.start()
      } else {
        const at = krond.ran().length
        await krond.eventually(() => krond.ran().length > at + 3, 'runs after the damage')
        if (krond.log.slice(seen).some(isReport)) figures.reported++
        else figures.silent++
        if (kind !== 'end record' && !krond.log.slice(seen).some(isReport)) {
          failures++
          console.log(`  silent: bit ${bit} of ${kind} ${path}`)
        }
      }
    }
    await krond.stop()
    const ran = krond.ran()
    const twice = ranTwice(ran)
    failures += twice.length
    for (const [kind, { flips, refused, reported, silent }] of tally)
      console.log(
        `real daemon, ${kind}: ${flips} flips, refused ${refused}, reported ${reported}, silent ${silent}`,
      )
    console.log(`real daemon: ${ran.length} executions counted by the children, ${twice.length} twice`)
    for (const each of twice) console.log(`  ${each}`)
  } finally {
    for (const act of after) act()
  }
  return failures
}

/** The length of the written part: claims are mostly empty room. */
function written(bytes: Buffer): number {
  let end = bytes.length
  while (end > 1 && bytes[end - 1] === 0) end--
  return end
}

function filesOf(krond: Krond): Damaged[] {
  const list = (directory: string): string[] => {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }
  const claims = list(krond.runtimeDir).filter(each => each.startsWith('claims'))
  return [
    ...list(krond.stateDir).flatMap((name): Damaged[] => {
      const path = `${krond.stateDir}/${name}`
      if (/^[0-9a-f]{64}\.json$/.test(name)) return [{ kind: 'state', path }]
      return name.startsWith('journal-') ? [{ kind: 'journal', path }] : []
    }),
    ...claims.flatMap(directory =>
      list(`${krond.runtimeDir}/${directory}`)
        .filter(name => !name.startsWith('.'))
        .map((name): Damaged => ({ kind: 'claim', path: `${krond.runtimeDir}/${directory}/${name}` })),
    ),
    ...list(`${krond.stateDir}/runs`)
      .filter(name => name.endsWith('.end'))
      .map((name): Damaged => ({ kind: 'end record', path: `${krond.stateDir}/runs/${name}` })),
  ]
}
