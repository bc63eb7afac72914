import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOfCommand, uniqueNames } from './name.ts'

test('a job is named after the program it is about', () => {
  const names: readonly (readonly [string, string])[] = [
    ['/usr/local/bin/restic backup /home', 'restic'],
    ['cd / && run-parts --report /etc/cron.daily', 'cron-daily'],
    ['test -x /usr/sbin/anacron || ( cd / && run-parts /etc/cron.weekly )', 'cron-weekly'],
    [
      '[ -x /usr/lib/php/sessionclean ] && if [ ! -d /run/x ]; then /usr/lib/php/sessionclean; fi',
      'sessionclean',
    ],
    ["/bin/bash -l -c 'cd /srv/app && bin/rails runner x'", 'rails'],
    ['nice -n 19 ionice -c3 /opt/heavy.sh', 'heavy'],
    ['flock -n /tmp/lock /opt/locked.sh', 'locked'],
    ['sleep $((RANDOM % 60)) && /opt/x', 'x'],
    ['docker run --rm backup:latest', 'backup-latest'],
    ['FOO=1 /opt/Größe_Test.py', 'gr-e-test'],
    ['', 'job'],
    ['&& ||', 'job'],
  ]
  for (const [command, name] of names) assert.equal(nameOfCommand(command), name, command)
})

test('names that several wish for are told apart by what the jobs are, whatever their order', () => {
  const jobs = [
    { wish: 'sync', content: 'a' },
    { wish: 'sync', content: 'b' },
    { wish: 'other', content: 'c' },
  ]
  const names = uniqueNames(jobs)
  assert.equal(new Set(names).size, 3)
  assert.equal(names[2], 'other')
  assert.deepEqual(uniqueNames(jobs.toReversed()), names.toReversed())
  assert.deepEqual(uniqueNames([...jobs, { wish: 'more', content: 'd' }]).slice(0, 3), names)
})

test('lines that are wholly alike are numbered', () => {
  const twin = { wish: 'sync', content: 'a' }
  const [first, second] = uniqueNames([twin, twin])
  assert.equal(second, `${first}-2`)
})
