import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseJobFile } from '@kron/host'
import { importing } from '@kron/testkit/krontab/run-import'

/** Every file of the corpus is converted to exactly its golden file; `UPDATE_GOLDEN=1` writes them again. */
const corpus = fileURLToPath(new URL('../../corpus/', import.meta.url))

const files = (directory: string, pattern = /./): string[] =>
  readdirSync(corpus + directory)
    .filter(name => pattern.test(name))
    .sort()

/** Files that cronie and Debian's cron read differently. */
const CRONIE =
  'broken-lines cron-tz environment leading-dash random-delay random-delay-and tilde-day tilde-hour tilde-minute'.split(
    ' ',
  )

const cases: readonly (readonly [option: string, path: string, ...more: string[]])[] = [
  ...files('crontab').map(name => ['--crontab', `crontab/${name}`] as const),
  ...files('system').map(name => ['--system', `system/${name}`] as const),
  ...files('systemd', /[^@]\.timer$/).map(name => ['--systemd', `systemd/${name}`] as const),
  ['--systemd', 'systemd/backup@home-ada.timer'],
  ['--crontab', 'crontab/thundering-herd', '--suggest'],
  ...CRONIE.map(name => ['--crontab', `crontab/${name}`, '--cron', 'cronie'] as const),
]

test('the corpus holds at least sixty sources', () => {
  assert.ok(new Set(cases.map(([, path]) => path)).size >= 60)
})

for (const [option, path, ...more] of cases) {
  test(`krontab import ${[option, path, ...more].join(' ')} gives its golden result`, async () => {
    const words = [option, path, ...more, '--timezone', 'Europe/Berlin', '--at', '2026-03-01T00:00:00Z']
    const { code, out, err } = await importing(words, corpus)
    const result = `exit ${code}\n\n== the new file\n${out}\n== the report\n${err}`
    const golden = `${corpus}golden/${[path.replace('/', '-'), ...more].join('').replaceAll('--', '-')}.txt`
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, result)
    else assert.ok(existsSync(golden), `${golden} is missing`)
    assert.equal(result, readFileSync(golden, 'utf8'))
    assert.deepEqual(parseJobFile(out, '/etc/krond.d/imported.kron').faults, [])
    assert.equal(code, /: lost: /.test(err) ? 1 : 0)
  })
}
