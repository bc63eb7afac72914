import { join } from 'node:path'
import { median } from '../measure.ts'
import { printTable, printTarget } from '../table.ts'
import { peerDaemons } from './cron.ts'
import { BenchDaemon } from './daemon.ts'
import { inMs, pause, quantile, stampsIn, type Workshop } from './workshop.ts'

const STARTS_PER_MINUTE = 20

/** How long after its second, or its minute, a single job begins; all daemons live through the same minutes. */
export async function lateness({ directory, stamp }: Workshop, minutes: number): Promise<void> {
  const file = (name: string): string => join(directory, `lateness-${name.replaceAll(' ', '-')}`)
  const lines = Array.from(
    { length: STARTS_PER_MINUTE },
    (_, i) => `* * * * * @win(after,50s) name=job-${i} command="${stamp} ${file('krond')}"\n`,
  )
  const daemon = new BenchDaemon(lines.join(''))
  await daemon.start()
  const peers = peerDaemons().map(make => make())
  for (const peer of peers) peer.start([`* * * * * ${stamp} ${file(peer.name)}`])
  // Whatever is chosen for the second in which a daemon starts is late by no fault of its own.
  const began = (Math.floor(Date.now() / 60_000) + 1) * 60_000
  await pause(began + minutes * 60_000 - Date.now())
  for (const peer of peers) await peer.stop()
  await daemon.stop()
  daemon.discard()

  const stampsOf = (name: string): number[] => stampsIn(file(name)).filter(at => at / 1e6 >= began)
  const ours = stampsOf('krond').map(at => (at % 1e9) / 1e6)
  const rows = [['krond', String(ours.length), inMs(median(ours)), inMs(quantile(ours, 0.99)), '1']]
  for (const { name } of peers) {
    const theirs = stampsOf(name).map(at => (at % 60e9) / 1e6)
    const times = median(theirs) / median(ours)
    const cells = [inMs(median(theirs)), inMs(quantile(theirs, 0.99)), `${Math.round(times)}×`]
    rows.push([name, String(theirs.length), ...cells])
    if (name === 'cron') printTarget('sooner than cron, p50', times, 'at least', 100, '×')
  }
  printTable(['start lateness, one job at a time', 'starts', 'p50', 'p99', 'of krond'], rows)
  printTarget('start lateness p50', median(ours), 'at most', 5, ' ms')
  printTarget('start lateness p99', quantile(ours, 0.99), 'at most', 20, ' ms')
}
