import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { krontab } from '@kron/testkit/krontab/host'
import { importing } from '@kron/testkit/krontab/import/import'
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
      line: 1,
      kind: 'changed',
      message:
        'cron mails what the lines print to their user, because MAILTO is not set; jobs of a job file send no mail',
    },
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
