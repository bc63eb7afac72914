import { printTable, printTarget } from '../table.ts'
import { BenchDaemon } from './daemon.ts'
import { inMs, pause } from './workshop.ts'

const MINUTES = 2

/** Measures a daemon while nothing is due. */
export async function idle(): Promise<void> {
  const rows: string[][] = []
  for (const jobs of [1, 10_000]) {
    const lines = Array.from({ length: jobs }, (_, i) => `0 0 29 2 * name=job-${i} command=/bin/true\n`)
    const daemon = new BenchDaemon(lines.join(''))
    // The second start finds every state file written.
    await daemon.start()
    await daemon.stop()
    await daemon.start()
    await pause(15_000)
    const [processor, wakeUps] = [daemon.processorTime, daemon.wakeUps]
    await pause(MINUTES * 60_000)
    const perMinute = (daemon.wakeUps - wakeUps) / MINUTES
    rows.push([
      jobs.toLocaleString('en'),
      inMs((daemon.processorTime - processor) / MINUTES),
      String(perMinute),
    ])
    printTarget(`idle wake-ups with ${jobs.toLocaleString('en')} jobs`, perMinute, 'at most', 2, ' a minute')
    await daemon.stop()
    daemon.discard()
  }
  printTable(['idle, jobs', 'CPU a minute', 'wake-ups a minute, all threads'], rows)
}
