import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from '@kron/core'
import { parseJobFile } from '@kron/host'
import { WARNING_RULES } from './finding.ts'
import { percent } from './little-room.ts'
import { warningsOf } from './warnings.ts'

const at = parseInstant('2026-03-01T00:00:00Z')
assert.ok(at.ok)

function warnings(head: string, command = '/bin/true') {
  const text = `# first\n${head} name=a command=${command}\n`
  const { entries, faults } = parseJobFile(text, '/etc/krond.d/a.kron')
  assert.deepEqual(faults, [])
  return warningsOf(entries, text, at.ok ? at.value : 0)
}
const rules = (head: string, command?: string) => warnings(head, command).map(each => each.rule)
const LATE = '@policy(deadline=1h)'

test('a sound job has no warnings', () => {
  assert.deepEqual(rules(`0 2 * * * @tz(Europe/Paris) @win(after,23h) ${LATE}`), ['dst-gap'])
  assert.deepEqual(rules(`0 4 * * * @tz(Europe/Paris) @win(after,22h) @only(dow=SUN-SAT) ${LATE}`), [])
})

test('little room: the chance is the exact one', () => {
  const [warning] = warnings(`0 9 * * * @win(after,1h) @only(between=09:00-09:05) ${LATE}`)
  assert.equal(warning?.rule, 'little-room')
  // 360 of 3601 seconds: (1 − 360/3601)^64 = 0.118 %.
  assert.match(warning!.message, /^32 of the next 32 periods .* chance is 0\.12 %, 10 % of its window/)
  assert.deepEqual(rules(`0 9 * * * @win(after,1h) @only(between=09:00-09:10) ${LATE}`), [])
})

test('little room: periods that can never run are counted', () => {
  const [warning] = warnings(`0 9 * * * @avoid(dow=SAT,SUN) ${LATE}`)
  assert.match(
    warning!.message,
    /^9 of the next 32 periods .* for 2026-03-01T09:00:00Z the chance is 100 %, 0 % of its window/,
  )
  assert.equal(warning!.column, 11)
  assert.deepEqual(
    rules(`*/10 * * * * @win(after,5m) @only(hours=8-17) ${LATE}`),
    ['little-room'],
    'a whole day is looked at',
  )
})

test('overlapping windows: within a day, over midnight, over weeks', () => {
  assert.deepEqual(rules(`*/5 * * * * @win(after,5m) ${LATE}`), [])
  assert.deepEqual(rules(`*/5 * * * * @win(after,6m) ${LATE}`), ['overlapping-windows'])
  assert.deepEqual(rules(`0 23,1 * * * @win(after,3h) ${LATE}`), ['overlapping-windows'])
  assert.deepEqual(rules(`0 23,1 * * * @win(after,2h) ${LATE}`), [])
  assert.deepEqual(rules(`0 0 * * * @win(around,25h) ${LATE}`), ['overlapping-windows'])
  assert.deepEqual(rules(`0 0 * * MON @win(after,168h) ${LATE}`), [])
  assert.deepEqual(rules(`0 0 * * MON @win(after,169h) ${LATE}`), ['overlapping-windows'])
  assert.deepEqual(rules(`0 0 1 * * @win(after,700h) ${LATE}`), ['overlapping-windows'], 'February is short')
})

test('a time inside the hour that the clocks skip this year', () => {
  const [warning] = warnings(`30 2 * * * @tz(Europe/Paris) ${LATE}`)
  assert.equal(
    warning?.message,
    '02:30 does not exist on 2026-03-29 in Europe/Paris, where the clocks go forward: no run then',
  )
  assert.deepEqual(rules(`30 3 * * * @tz(Europe/Paris) ${LATE}`), [])
  assert.deepEqual(rules(`30 2 * * MON @tz(Europe/Paris) ${LATE}`), [], 'the clocks change on a Sunday')
  assert.deepEqual(rules(`30 * * * * @tz(Europe/Paris) ${LATE}`), [], 'every hour loses nothing')
  assert.deepEqual(
    rules(`15 2 * * * @tz(Australia/Lord_Howe) ${LATE}`),
    ['dst-gap'],
    'half an hour in October',
  )
  assert.deepEqual(rules(`30 2 * * * @tz(Asia/Tokyo) ${LATE}`), [])
})

test('a daily seed with several runs a day', () => {
  assert.deepEqual(rules(`0 */6 * * * @win(after,1h) @seed(daily) ${LATE}`), ['daily-seed'])
  assert.deepEqual(rules(`0 6 * * * @win(after,1h) @seed(daily) ${LATE}`), [])
  assert.deepEqual(rules(`0 */6 * * * @seed(daily) ${LATE}`), [], 'without a window there is no offset')
})

test('a step in one day field beside the other day field', () => {
  assert.deepEqual(rules(`0 9 */2 * MON ${LATE}`), ['day-step'])
  assert.deepEqual(rules(`0 9 1 * */2 ${LATE}`), ['day-step'])
  assert.deepEqual(rules(`0 9 */2 * * ${LATE}`), [])
  assert.deepEqual(rules(`0 9 1 * MON ${LATE}`), [])
})

test('a command that depends on PATH or the directory', () => {
  const [warning] = warnings(`@daily ${LATE}`, '"backup --all"')
  assert.equal(warning?.rule, 'relative-command')
  assert.deepEqual([warning?.line, warning?.column, warning?.length], [2, 44, 14])
  assert.deepEqual(rules(`@daily ${LATE}`, './x'), ['relative-command'])
  assert.deepEqual(rules(`@daily ${LATE}`, '"backup --all" shell=true'), [])
})

test('no deadline, unless the job is suspended anyway', () => {
  assert.deepEqual(rules('@daily'), ['no-deadline'])
  assert.deepEqual(rules('@daily @policy(suspend=true)'), [])
})

test('every rule has a kebab-case name of its own', () => {
  assert.equal(new Set(WARNING_RULES).size, WARNING_RULES.length)
  assert.ok(WARNING_RULES.every(name => /^[a-z]+(-[a-z]+)*$/.test(name)))
})

test('percentages keep what matters', () => {
  const shown = [0, 1, 0.5, 0.123, 0.00123, 0.00001, 0.9999].map(percent)
  assert.deepEqual(shown, ['0 %', '100 %', '50 %', '12 %', '0.12 %', '< 0.01 %', '> 99 %'])
})

test('shell syntax in a command that no shell reads is told, with the fix', () => {
  for (const command of [
    '/bin/echo $HOME',
    '/bin/a | /bin/b',
    '/bin/a > out',
    '/bin/a && /bin/b',
    '/bin/a; b',
    '/bin/ls *',
    '/bin/ls ~/x',
    '/bin/echo `date`',
  ])
    assert.ok(rules(`@daily ${LATE}`, `"${command}"`).includes('shell-syntax'), command)
  for (const command of [
    '/bin/echo a',
    '/usr/bin/curl https://x/?a=1',
    '/bin/echo \\"a | b\\"',
    '/bin/echo 5%',
  ])
    assert.ok(!rules(`@daily ${LATE}`, `"${command}"`).includes('shell-syntax'), command)
})

test('a step larger than its field and a distribution without a window are told', () => {
  assert.ok(rules(`*/90 * * * * ${LATE}`).includes('wide-step'))
  assert.ok(rules(`0 */24 * * * ${LATE}`).includes('wide-step'))
  assert.ok(!rules(`*/30 */2 * * * ${LATE}`).includes('wide-step'))
  assert.ok(rules(`0 2 * * * @dist(normal) ${LATE}`).includes('dist-without-window'))
  assert.ok(!rules(`0 2 * * * @win(after,1h) @dist(normal) ${LATE}`).includes('dist-without-window'))
})
