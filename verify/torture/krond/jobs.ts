import type { Chance } from '@kron/testkit/chance'

const CRONS = ['* * * * *', '* * * * *', '*/2 * * * *', '*/3 * * * *']
const WINDOWS = [
  '',
  '',
  '@win(after,20s)',
  '@win(after,50s)',
  '@win(around,40s)',
  '@win(before,30s)',
  '@win(after,3m)',
]
const DEADLINES = ['0s', '10s', '1m', '10m']
/** Quick ones, some that outlive the daemon, some that fail, and one that cannot be started. */
const AFTERWARDS = ['', '', '', '; exit 3', '; sleep 0.1', '; sleep 0.7', '; sleep 4']

/** The shell command with which a child says what it runs for: one appending write, and durable. */
export const saysTo = (path: string): string =>
  `echo "$KRON_IDENTITY $KRON_PERIOD_ID $KRON_EXECUTION_ID" | dd of=${path} oflag=append conv=notrunc,fsync status=none`

/** A line of a job file whose periods come densely; everything but its name is left to chance. */
export function denseJob(name: string, chance: Chance, says: string): string {
  const policy = `@policy(concurrency=${chance.pick(['allow', 'forbid', 'replace'])},deadline=${chance.pick(DEADLINES)})`
  const schedule = [
    chance.pick(CRONS),
    chance.pick(WINDOWS),
    chance.happens(0.03) ? '@avoid(hours=0-23)' : '',
    policy,
  ]
  const settings = [`name=${name}`, chance.happens(0.15) ? 'timeout=30s grace=5s' : '']
  const command = `${says}${chance.pick(AFTERWARDS)}`.replaceAll(/[\\"]/g, '\\$&')
  const action = chance.happens(0.04) ? 'command=/nonexistent/program' : `shell=true command="${command}"`
  return [...schedule, ...settings, action].filter(part => part !== '').join(' ')
}
