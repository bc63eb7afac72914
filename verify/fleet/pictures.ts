/** The pictures of docs/guides/fleet.md, drawn from what the engine decides. */
import { type Balanceable, balance, type Job, loadOf, PeriodOfFleet, parseSchedule } from '@kron/core'
import { picture } from './histogram.ts'
import { weightsPicture } from './weights.ts'

const FROM = Date.parse('2026-03-02T02:00:00Z') / 1_000

function jobOf(text: string, identity: string): Job {
  const schedule = parseSchedule(text)
  if (!schedule.ok) throw new Error(schedule.faults[0]!.message)
  return { identity, schedule: schedule.value }
}

function herd(): string {
  const period = new PeriodOfFleet(jobOf('0 2 * * * @win(after,2h)', '/etc/krond.d/jobs.kron:backup'), FROM)
  const perMinute = (saltOf: (host: number) => string): Uint32Array => {
    const counts = new Uint32Array(121)
    for (let host = 0; host < 1_000; host++)
      counts[Math.floor((period.chosen(saltOf(host))! - FROM) / 60)]! += 1
    return counts
  }
  return picture(
    'Starts of one job on 1,000 hosts, without a salt and with one for each host',
    [
      { title: '1,000 hosts without a salt, starts per minute', kind: 'herd', counts: perMinute(() => '') },
      {
        title: 'the same with salt = %H',
        kind: 'spread',
        counts: perMinute(host => `web${host}.example.org`),
      },
    ],
    ['02:00', '04:00'],
  )
}

function balanced(): string {
  const jobs = Array.from({ length: 300 }, (_, i): Balanceable => {
    const text = ['0 2 * * * @win(after,2h)', '30 2 * * * @win(around,1h)', '0 3 * * * @win(after,30m)'][
      i % 3
    ]!
    return { job: jobOf(text, `/etc/krond.d/jobs.kron:job-${i}`), written: '', base: '' }
  })
  const span = { from: FROM, to: FROM + 7_200, bucket: 60 }
  const { before, after } = balance(jobs, written => [written], span)
  const title = (counts: Uint32Array, when: string): string =>
    `300 jobs ${when}: at most ${loadOf(counts).peak} starts in a minute`
  return picture(
    'Starts of 300 jobs before and after krontab balance',
    [
      { title: title(before, 'as they are'), kind: 'herd', counts: before },
      { title: title(after, 'after krontab balance'), kind: 'spread', counts: after },
    ],
    ['02:00', '04:00'],
  )
}

/** Each picture by the name of its file in docs/images. */
export const PICTURES: Readonly<Record<string, () => string>> = {
  'fleet-herd.svg': herd,
  'fleet-balance.svg': balanced,
  'fleet-weights-tariff.svg': () => weightsPicture('tariff', 'cents'),
  'fleet-weights-carbon.svg': () => weightsPicture('carbon', 'grams'),
}
