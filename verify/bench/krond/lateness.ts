import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { median } from '../measure.ts'
import { StealWatch } from '../steal.ts'
import { printTable, printTarget } from '../table.ts'
import { peerDaemons } from './cron.ts'
import { BenchDaemon } from './daemon.ts'
import { inMs, pause, quantile, stampsIn, type Workshop } from './workshop.ts'

const STARTS_PER_MINUTE = 20
const BARE = 'bare C: timer, durable write, posix_spawn'

/** How long after its second, or its minute, a single job begins; all daemons live through the same minutes. */
export async function lateness({ directory, stamp, bareStart }: Workshop, minutes: number): Promise<void> {
  const file = (name: string): string => join(directory, `lateness-${name.replaceAll(' ', '-')}`)
  const lines = Array.from(
    { length: STARTS_PER_MINUTE },
    (_, i) => `* * * * * @win(after,50s) name=job-${i} command="${stamp} ${file('krond')}"\n`,
  )
  const daemon = new BenchDaemon(lines.join(''))
  await daemon.start()
  const peers = peerDaemons().map(make => make())
  for (const peer of peers) peer.start([`* * * * * ${stamp} ${file(peer.name)}`])
  // A run chosen for the second in which the daemon starts is late for another reason: leave it out.
  const began = (Math.floor(Date.now() / 60_000) + 1) * 60_000
  const end = began + minutes * 60_000
  const bare = spawn(bareStart, [String(end / 1_000), join(directory, 'journal'), stamp, file(BARE)])
  const steal = new StealWatch()
  await pause(end - Date.now())
  const stolen = steal.look()
  bare.kill()
  for (const peer of peers) await peer.stop()
  await daemon.stop()
  daemon.discard()

  const stampsOf = (name: string): number[] => stampsIn(file(name)).filter(at => at / 1e6 >= began)
  const ours = stampsOf('krond').map(at => (at % 1e9) / 1e6)
  const rows = [rowOf('krond', ours, '1')]
  // Their seconds are halves, so that they do not meet those of krond.
  const bareStarts = stampsOf(BARE).map(at => ((at - 5e8) % 1e9) / 1e6)
  rows.push(rowOf(BARE, bareStarts, (median(bareStarts) / median(ours)).toFixed(2)))
  for (const { name } of peers) {
    const theirs = stampsOf(name).map(at => (at % 60e9) / 1e6)
    const times = median(theirs) / median(ours)
    rows.push(rowOf(name, theirs, String(Math.round(times))))
    if (name === 'cron') printTarget('sooner than cron, p50', times, 'at least', 100, '×')
  }
  const title = `start lateness, one job at a time; ${(stolen * 100).toFixed(1)} % of the processors stolen`
  printTable([title, 'starts', 'p50', 'p99', 'latest', 'times krond'], rows)
  printTarget('start lateness p50', median(ours), 'at most', 5, ' ms')
  printTarget('start lateness p99', quantile(ours, 0.99), 'at most', 20, ' ms')
  const timesBare = median(ours) / median(bareStarts)
  printTarget('start lateness p50 beside bare C', timesBare, 'at most', 1.3, '× of a bare C start')
  const beyondBare = quantile(ours, 0.99) - quantile(bareStarts, 0.99)
  printTarget('start lateness p99 beyond bare C', beyondBare, 'at most', 5, ' ms')
}

const rowOf = (name: string, starts: readonly number[], times: string): string[] => [
  name,
  String(starts.length),
  inMs(median(starts)),
  inMs(quantile(starts, 0.99)),
  inMs(Math.max(...starts)),
  `${times}×`,
]
