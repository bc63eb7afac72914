import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { importing } from '@kron/testkit/krontab/run-import'
import { krontab } from '@kron/testkit/krontab/run-krontab'
import { Ajv2020 } from 'ajv/dist/2020.js'

const directory = mkdtempSync(join(tmpdir(), 'kron-import-'))
after(() => rmSync(directory, { recursive: true }))
writeFileSync(join(directory, 'tab'), '0 2 * * * /opt/a\n0 2 * * * /opt/b\n@reboot /opt/c\n')

const AT = ['--timezone', 'Europe/Berlin', '--at', '2026-03-01T00:00:00Z']

test('the same as JSON: the file, the jobs with their equivalence, the remarks and the suggestion', async () => {
  const { code, out, err } = await importing(
    ['--crontab', 'tab', '--suggest', '--format', 'json', ...AT],
    directory,
  )
  const document = JSON.parse(out)
  assert.equal(code, 1)
  assert.equal(err, '')
  assert.match(document.jobFile, /^0 2 \* \* \* @tz\(Europe\/Berlin\) @win\(after,59m\)/m)
  assert.deepEqual(document.remarks, [
    {
      file: 'tab',
      line: 3,
      kind: 'lost',
      message:
        '@reboot /opt/c: @reboot has no time: let krond read the crontab itself, or the service manager start it',
    },
  ])
  assert.deepEqual(document.suggestion.windows, { a: '59m', b: '59m' })
  assert.equal(document.suggestion.peakBefore, 2)
  assert.equal(document.suggestion.peakAfter, 1)
  assert.deepEqual(document.jobs[0].conditions, [])
  assert.equal(document.jobs[0].equivalence.compared, 50)
  assert.deepEqual(document.jobs[0].equivalence.differences[0], {
    at: '2026-03-29T01:00:00Z',
    by: 'original',
    because: 'the clock is set forward',
  })
})

test('--output installs the file, lints cleanly, and is not replaced unasked', async () => {
  const words = ['--crontab', 'tab', '--output', 'new.kron', ...AT]
  assert.equal((await importing(words, directory)).code, 1)
  const path = join(directory, 'new.kron')
  assert.match(readFileSync(path, 'utf8'), /name=a command=\/opt\/a cwd=\/home\/ada/)
  assert.equal((await krontab(['lint', '--file', path])).code, 0)
  await assert.rejects(importing(words, directory), /exists already/)
  assert.equal((await importing([...words, '--replace'], directory)).code, 1)
})

test('nothing to import, CronJobs, unreadable files and unknown zones are refused', async () => {
  const refusals: readonly (readonly [RegExp, ...string[]])[] = [
    [/nothing to import/],
    [/kronctl convert -f x\.yaml does/, '--crontab', 'tab', '--cronjob', 'x.yaml'],
    [/missing: there is no such file/, '--crontab', 'missing'],
    [/cannot find the timer/, '--systemd', 'missing.timer'],
    [/not called \*\.timer/, '--systemd', 'tab'],
    [/not a time zone/, '--crontab', 'tab', '--timezone', 'Europe/Atlantis'],
  ]
  for (const [message, ...words] of refusals) await assert.rejects(importing(words, directory), message)
})

test('--user decides whom the jobs of a user crontab run as', async () => {
  const { out } = await importing(['--crontab', 'tab', '--user', 'deploy', ...AT], directory)
  assert.match(out, /name=a command=\/opt\/a user=deploy cwd=\/home\/deploy/)
})

const importOf = (text: string, ...words: string[]) => {
  writeFileSync(join(directory, 'given'), text)
  return importing([...words, 'given', ...AT], directory)
}

test('a job of another user keeps the groups, shell, path and mail that cron gives it', async () => {
  const { code, out, err } = await importOf('0 1 * * * www-data docker ps\n', '--system')
  assert.equal(code, 0)
  assert.match(out, /user=www-data cwd=\/var\/www umask=0022/)
  assert.match(out, /notify=mail:www-data notify_on=output/)
  assert.doesNotMatch(out, /groups=|nologin/)
  assert.match(err, /1 job: user, groups, directory, umask, shell, environment and mail are those of cron/)
})

test('without a user column the daemon passes nothing of its own environment on', async () => {
  const { out } = await importOf('0 1 * * * work\n', '--crontab')
  assert.match(out, /inherit_env=false env=SHELL=\/bin\/sh env=PATH=\/usr\/bin:\/bin env=HOME=\/home\/ada/)
})

test('MAILTO decides who gets the output: several people, nobody, or an address that krond cannot use', async () => {
  const several = await importOf('MAILTO="a@example.org, b"\n0 1 * * * work\n', '--crontab')
  assert.match(several.out, /notify=mail:a@example\.org,mail:b notify_on=output/)
  const nobody = await importOf('MAILTO=""\n0 1 * * * work\n', '--crontab')
  assert.doesNotMatch(nobody.out, /notify/)
  const odd = await importOf('MAILTO="|/bin/sh"\n0 1 * * * work\n', '--crontab')
  assert.equal(odd.code, 1)
  assert.match(odd.err, /lost: the mail to \|\/bin\/sh/)
  assert.match(odd.err, /work: 1 condition not as with cron\n {2}mail: cron \|\/bin\/sh, krond none/)
})

test('of a file that cron ignores as a whole nothing runs, and every mistake is named', async () => {
  const { code, out, err } = await importOf('0 1 * * * good\n61 * * * * bad\n* 25 * * * bad\n', '--crontab')
  assert.equal(code, 1)
  assert.match(out, /^# 0 1 \* \* \* good$/m)
  assert.match(err, /given:2: lost: .*ignores the whole file/)
  assert.match(err, /given:3: lost: .*25/)
  assert.match(err, /imported 0 jobs/)
})

test('only cronie moves lines by CRON_TZ and delays them by RANDOM_DELAY, spread by the salt of the host', async () => {
  const text = 'CRON_TZ=Asia/Tokyo\nRANDOM_DELAY=30\n0 1 * * * work\n'
  const debian = await importOf(text, '--crontab')
  assert.match(debian.out, /^0 1 \* \* \* @tz\(Europe\/Berlin\) @policy.* env=CRON_TZ=Asia\/Tokyo/m)
  const cronie = await importOf(text, '--cron', 'cronie', '--crontab')
  assert.match(cronie.out, /^0 1 \* \* \* @tz\(Asia\/Tokyo\) @win\(after,30m\) @seed\(stable,salt=%m\)/m)
})

test('a delay of a timer differs from machine to machine, and supplementary groups are added', async () => {
  writeFileSync(join(directory, 'x.timer'), '[Timer]\nOnCalendar=daily\nRandomizedDelaySec=1h\n')
  writeFileSync(
    join(directory, 'x.service'),
    '[Service]\nUser=deploy\nSupplementaryGroups=44 45\nExecStart=/bin/true\n',
  )
  const { out, err } = await importing(['--systemd', 'x.timer', ...AT], directory)
  assert.match(out, /@win\(after,1h\) @seed\(stable,salt=%m\)/)
  assert.match(out, /user=deploy groups=1,998,44,45 cwd=\/ umask=0022/)
  assert.match(out, /env=PATH=\/usr\/local\/sbin:\S+ env=HOME=\/home\/deploy .* env=SHELL=\/bin\/bash/)
  assert.match(err, /1 job: user, groups, .* are those of systemd/)
})

test('the offset of a timer (systemd 258) is a window, and one longer than a month is named', async () => {
  writeFileSync(join(directory, 'y.service'), '[Service]\nExecStart=/bin/true\n')
  const timer = (lines: string): void =>
    writeFileSync(join(directory, 'y.timer'), `[Timer]\nOnCalendar=daily\n${lines}\n`)
  timer('RandomizedOffsetSec=2h\nRandomizedDelaySec=30min')
  const both = await importing(['--systemd', 'y.timer', ...AT], directory)
  assert.match(both.out, /@win\(after,2h30m\) @seed\(stable,salt=%m\)/)
  assert.match(both.err, /y\.timer:3: changed: RandomizedOffsetSec: systemd draws one delay a machine/)
  timer('RandomizedOffsetSec=1000h')
  const long = await importing(['--systemd', 'y.timer', ...AT], directory)
  assert.match(long.err, /lost: RandomizedOffsetSec=1000h is no window of at most 744h/)
  timer('RandomizedOffsetSec=700h\nRandomizedDelaySec=100h')
  const sum = await importing(['--systemd', 'y.timer', ...AT], directory)
  assert.match(sum.err, /y\.timer:3: lost: .* together are longer than a window of 744h/)
  assert.match(sum.out, /@win\(after,100h\)/)
})

test('its JSON is as documented', async () => {
  const schema = (name: string) =>
    JSON.parse(
      readFileSync(
        fileURLToPath(new URL(`../../../../docs/json/${name}.schema.json`, import.meta.url)),
        'utf8',
      ),
    )
  const ajv = new Ajv2020({ schemas: ['import', 'forecast'].map(schema) })
  const words = ['--crontab', 'tab', '--suggest', '--format', 'json', ...AT]
  const { out } = await importing(words, directory)
  assert.ok(ajv.validate('import.schema.json', JSON.parse(out)), ajv.errorsText())
})

test('of a directory such as /etc/cron.d the files are imported that cron would read', async () => {
  mkdirSync(join(directory, 'cron.d'))
  writeFileSync(join(directory, 'cron.d/good'), '0 1 * * * root /opt/good\n')
  writeFileSync(join(directory, 'cron.d/left.dpkg-old'), '0 1 * * * root /opt/old\n')
  const { code, out, err } = await importing(['--system', 'cron.d', ...AT], directory)
  assert.equal(code, 0)
  assert.match(out, /name=good command=\/opt\/good user=root cwd=\/root/)
  assert.doesNotMatch(out, /\/opt\/old/)
  assert.match(err, /left\.dpkg-old: changed: cron leaves out files with such names/)
})
