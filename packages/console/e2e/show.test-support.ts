import { after, before } from 'node:test'
import { Browser, type PageOptions } from './browser.test-support.ts'
import { busyLines, Krond } from './krond.test-support.ts'

/** The month half a year away: a job of that month has nothing near today, whatever day the tests run on. */
const farMonth = ((new Date().getUTCMonth() + 6) % 12) + 1

/** 140 jobs of every sort: some run each second, some fail, talk, last, are suspended or cannot be scheduled. */
const LINES = [
  '0 2 * * * @tz(Europe/Paris) @win(after,3h) @dist(normal) @avoid(between=03:00-03:45) name=backup command="/bin/echo hush" env=SECRET=hush description="Saves everything"',
  '* * * * * @tz(Asia/Tokyo) @win(after,10s) name=tokyo command=/bin/true',
  '30 4 * * * @win(around,90m) name=vacuum command=/bin/true',
  `0 0 1 ${farMonth} * name=anniversary command=/bin/true`,
  '0 9 * * * @policy(suspend=true) name=paused command=/bin/true',
  '* * * * * @only(between=00:00-00:00) @avoid(between=00:00-00:00) name=impossible command=/bin/true',
  ...Array.from({ length: 16 }, (_, i) => `0 * * * * @win(after,50m) name=hourly-${i} command=/bin/true`),
  '* * * * * name=talker shell=true command="echo all is well; echo but this is not >&2; exit 4"',
  '* * * * * name=slow shell=true command="for i in 1 2 3 4 5 6 7 8 9; do echo step $i; sleep 6; done"',
  ...busyLines(86),
  ...busyLines(30, '/bin/false').map(line => line.replace('busy', 'broken')),
]

/** A real daemon with some jobs and a browser, for the tests of one file. */
export function startShow(lines: readonly string[] = LINES) {
  const krond = new Krond(lines)
  const browser = new Browser()
  before(() => krond.start())
  after(async () => {
    await browser.close()
    await krond.remove()
  })
  return {
    krond,
    browser,
    /** As somebody who came without the token. */
    open: (hash = '', options: PageOptions = {}) => browser.open(`${krond.url}${hash}`, options),
    /** As from the link that krontab console prints. */
    openWithToken: (hash: string, options: PageOptions = {}) =>
      browser.open(`${krond.url}${hash}`, { ...options, token: krond.token }),
    jobHash: (name: string, more: Readonly<Record<string, string>> = {}): string =>
      `#/job?${new URLSearchParams({ id: `${krond.jobFile}:${name}`, ...more })}`,
  }
}
