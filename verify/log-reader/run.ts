/**
 * Six daemons at the same time, with the same jobs and different readers of their logs: one that reads, one that is
 * stopped, slow, dead, closed, and a full disk. Every start must happen, and dropped lines must be counted. How late the
 * starts are is printed beside the daemon whose log is read; it is not asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { commandLine } from '../command-line.ts'
import { JOBS, READERS, type Result, Variant } from './variant.ts'

const USAGE = `usage: npm run verify -- log-reader [options]
  --minutes N   how many minutes of starts are counted (default 3)
`

const { values } = commandLine(USAGE, { minutes: { type: 'string', default: '3' } })
const minutes = Number(values.minutes)
const MINUTE = 60_000
const directory = mkdtempSync(`${tmpdir()}/kron-log-reader-`)
const variants = READERS.map(reader => new Variant(reader, `${directory}/${reader.replace(' ', '-')}`))
const results: Result[] = []
try {
  // The daemons are up well before the first minute that counts.
  if (MINUTE - (Date.now() % MINUTE) < 25_000) await pause(MINUTE - (Date.now() % MINUTE) + 1_000)
  for (const each of variants) each.start()
  const first = Math.ceil(Date.now() / MINUTE) * MINUTE
  await pause(first + (minutes - 1) * MINUTE + 35_000 - Date.now())
  results.push(...(await Promise.all(variants.map(each => each.finish()))))
  let failures = 0
  const baseline = results[0]!
  const at = ({ latenessMs }: Result, share: number): number =>
    latenessMs[Math.min(latenessMs.length - 1, Math.floor(latenessMs.length * share))] ?? Number.NaN
  console.log('reader      starts  p50 ms  p99 ms  p50 ratio  p99 ratio  dropped lines  status  exit')
  for (const result of results) {
    const wanted = Array.from({ length: minutes }, (_, n) => new Date(first + n * MINUTE).toISOString())
      .map(time => time.replace('.000', ''))
      .flatMap(time => Array.from({ length: JOBS }, (_, n) => `job${n} ${time}`))
    const missing = wanted.filter(each => !result.ran.includes(each))
    const isTwice = new Set(result.ran).size !== result.ran.length
    const problems = [
      ...(missing.length > 0 ? [`${missing.length} starts are missing`] : []),
      ...(isTwice ? ['a period ran twice'] : []),
      ...(result.droppedLines === 0 ? ['dropped lines were not counted'] : []),
      ...(result.answersStatus ? [] : ['status is not answered']),
      ...(result.exitCode === 0 ? [] : ['SIGTERM did not end it in order']),
    ]
    failures += problems.length
    const ratio = (share: number): string => (at(result, share) / at(baseline, share)).toFixed(2)
    const cells = [
      result.reader,
      result.ran.length,
      at(result, 0.5),
      at(result, 0.99),
      ratio(0.5),
      ratio(0.99),
    ]
    const more = [result.droppedLines ?? '-', result.answersStatus ? 'yes' : 'no', result.exitCode ?? 'none']
    const widths = [11, 7, 7, 7, 10, 10, 14, 7, 5]
    console.log([...cells, ...more].map((each, n) => String(each).padEnd(widths[n]!)).join(' '), ...problems)
  }
  console.log(failures === 0 ? 'ok: every start happened, and drops were counted' : `${failures} problems`)
  process.exitCode = failures === 0 ? 0 : 1
} finally {
  for (const each of variants) each.remove()
  rmSync(directory, { recursive: true, force: true })
}
