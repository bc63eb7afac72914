import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJobFile } from './parse.ts'

test('a pasted line of a crontab is answered with the job line that means the same', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      '0 2 * * * /usr/local/bin/backup.sh --all',
      '0 2 * * * name=backup command="/usr/local/bin/backup.sh --all"',
    ],
    ['@daily /usr/bin/tidy', '@daily name=tidy command=/usr/bin/tidy'],
    ['*/5 * * * * /bin/a | /bin/b', '*/5 * * * * name=a command="/bin/a | /bin/b" shell=true'],
    [
      '17 * * * * root cd / && run-parts /etc/cron.hourly',
      '17 * * * * name=cd command="cd / && run-parts /etc/cron.hourly" shell=true user=root',
    ],
  ]
  for (const [line, rewritten] of cases) {
    const { faults } = parseJobFile(`${line}\n`, '/jobs.kron')
    assert.deepEqual(
      faults.map(({ message, hint }) => [message, hint]),
      [['this is a line of a crontab, not of a job file', `write: ${rewritten}`]],
      line,
    )
    assert.deepEqual(parseJobFile(`${rewritten}\n`, '/jobs.kron').faults, [], rewritten)
  }
})

test('a job line with a mistake is not taken for a crontab line', () => {
  for (const line of ['0 2 * * * nmae=a command=/bin/true', '0 2 * * *', '0 2 * * * @wni(after,1h)'])
    assert.doesNotMatch(parseJobFile(`${line}\n`, '/jobs.kron').faults[0]!.message, /crontab/, line)
})
