import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-calendar-')))
after(() => rmSync(here, { recursive: true }))
const config = join(here, 'krond')
mkdirSync(join(config, 'calendars'), { recursive: true, mode: 0o755 })
const write = (name: string, text: string): void => writeFileSync(join(config, name), text, { mode: 0o644 })
const parts = { cwd: here, uid: 1_000, env: { HOME: here, XDG_CONFIG_HOME: here }, now: 1_772_323_200 }
const run = (line: string) => krontab(line.split(' '), parts)

write(
  'jobs.kron',
  '0 2 * * * @win(after,2h) @avoid(cal=holidays) @policy(deadline=1m) name=a command=/bin/true\n',
)
write('calendars/holidays.dates', '2026-03-02\n')

test('a day of the calendar is left out, and the decision carries its digest', async () => {
  const { out } = await run('next a --count 3 --at 2026-03-01T00:00:00Z --format json')
  const { decisions } = JSON.parse(out)
  assert.deepEqual(
    decisions.map((each: { unschedulable: boolean }) => each.unschedulable),
    [false, true, false],
  )
  assert.match(decisions[0].calendars.holidays, /^[0-9a-f]{64}$/)
  const explained = await run('explain a --period 2026-03-02T02:00:00Z')
  assert.match(explained.out, /refused by avoid cal=holidays/)
  assert.match(explained.out, /calendar {2}holidays [0-9a-f]{64}/)
})

test('lint tells how likely the calendar makes unschedulable periods', async () => {
  const { out, code } = await run('lint --at 2026-03-01T00:00:00Z')
  assert.equal(code, 0)
  assert.match(out, /1 of the next 32 periods may find no allowed time/)
})

test('a file that lint is given has the calendars beside it', async () => {
  const elsewhere = join(here, 'elsewhere')
  mkdirSync(join(elsewhere, 'calendars'), { recursive: true, mode: 0o755 })
  const line = '0 2 * * * @win(after,2h) @avoid(cal=closed) name=b command=/bin/true\n'
  writeFileSync(join(elsewhere, 'b.kron'), line, { mode: 0o644 })
  writeFileSync(join(elsewhere, 'calendars/closed.dates'), '2026-03-02\n', { mode: 0o644 })
  const noDefaults = { ...parts, env: { HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' } }
  const { out } = await krontab(['lint', 'elsewhere/b.kron'], noDefaults)
  assert.match(out, /periods may find no allowed time/)
})

test('a missing calendar is an error of the job, for lint and for every other command', async () => {
  write('jobs.kron', '0 2 * * * @win(after,2h) @avoid(cal=hollidays) name=a command=/bin/true\n')
  for (const line of ['lint', 'next a', 'forecast']) {
    const { out, err, code } = await run(line)
    assert.notEqual(code, 0, line)
    assert.match(out + err, /there is no calendar "hollidays"/)
  }
})

test('calendar check shows the days that are read', async () => {
  const { out } = await run('calendar check holidays --at 2026-03-01T00:00:00Z')
  assert.match(out, /^holidays: 1 range of days.*\nSHA-256 [0-9a-f]{64}\n {2}2026-03-02\n$/)
  assert.equal((await run('calendar check none')).code, 1)
  write('calendars/bad.ics', 'hello')
  assert.match((await run(`calendar check ${config}/calendars/bad.ics`)).err, /bad\.ics: it is not iCalendar/)
  const { out: json } = await run('calendar check holidays --at 2026-03-01T00:00:00Z --format json')
  assert.deepEqual(JSON.parse(json).next, [{ kind: 'day', from: '2026-03-02', to: '2026-03-02' }])
})

test('calendar check reads the file that is named, wherever it lies', async () => {
  mkdirSync(join(here, 'drafts'), { mode: 0o755 })
  writeFileSync(join(here, 'drafts/holidays.dates'), '2027-05-05\n', { mode: 0o644 })
  // A calendar of the same name in the usual folder: the command must not read it.
  mkdirSync(join(here, 'calendars'), { mode: 0o755 })
  writeFileSync(join(here, 'calendars/holidays.dates'), '2028-06-06\n', { mode: 0o644 })
  const { out } = await run('calendar check drafts/holidays.dates --at 2026-03-01T00:00:00Z')
  assert.match(out, /^holidays: 1 range of days.*\n.*\n {2}2027-05-05\n$/)
  const { code, err } = await run('calendar check drafts/none.dates')
  assert.equal(code, 1)
  assert.match(err, /^error: .*drafts\/none\.dates: there is no such file/)
})
