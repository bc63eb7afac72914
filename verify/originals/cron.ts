import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A start as cron made it: the line of the crontab, and the minute as epoch seconds. */
export interface Start {
  readonly line: number
  readonly at: number
}

export interface Span {
  readonly zone: string
  /** Epoch seconds of whole minutes: starts after the first and before the second are made. */
  readonly from: number
  readonly until: number
}

/** Cron finds its crontabs, and the place of its PID, at fixed paths: they are its own in a mount namespace. */
const PRIVATELY = `
set -e
mount -t tmpfs none /var/spool
mkdir -p -m 1730 /var/spool/cron/crontabs
install -m 600 "$CRONTAB" /var/spool/cron/crontabs/root
mount -t tmpfs none /run
[ ! -d /etc/cron.d ] || mount -t tmpfs none /etc/cron.d
[ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab
exec env LD_PRELOAD="$CLOCK" "$CRON" -f -L 0
`

export function buildClock(into: string): string {
  const clock = join(into, 'clock.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', clock, join(import.meta.dirname, 'clock.c')])
  return clock
}

/** Every start that a real cron makes of these schedules in a span of time. */
export function startsOfCron(
  program: string,
  clock: string,
  directory: string,
  schedules: readonly string[],
  { zone, from, until }: Span,
): Start[] {
  const [crontab, noted] = [join(directory, 'crontab'), join(directory, 'starts')]
  writeFileSync(crontab, schedules.map((schedule, line) => `${schedule} ${line}\n`).join(''))
  writeFileSync(noted, '')
  execFileSync('unshare', ['--mount', 'sh', '-c', PRIVATELY], {
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      TZ: zone,
      CRON: program,
      CLOCK: clock,
      CRONTAB: crontab,
      CRON_STARTS: noted,
      CRON_FROM: String(from),
      CRON_UNTIL: String(until),
    },
  })
  const lines = readFileSync(noted, 'utf8').trim().split('\n')
  return lines
    .filter(line => line !== '')
    .map(line => {
      const [second = '', number = ''] = line.split(' ')
      return { line: Number(number), at: Math.floor(Number(second) / 60) * 60 }
    })
}
