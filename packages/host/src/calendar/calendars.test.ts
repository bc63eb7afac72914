import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { calendarsOf, NO_RANGES, parsed } from '@kron/core'
import { faultsOf, value } from '@kron/testkit/reading'
import { parseJobFile } from '../job-file/parse.ts'
import { PathTrust } from '../job-file/path-trust.ts'
import { Calendars } from './calendars.ts'

function stage(t: TestContext) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'kron-calendars-')))
  t.after(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'calendars'), { mode: 0o755 })
  let parses = 0
  const parse = (text: string) => {
    parses++
    return parsed({ ...NO_RANGES, days: [[Number(text), Number(text)] as const] })
  }
  const put = (name: string, text: string): void =>
    writeFileSync(join(directory, 'calendars', name), text, { mode: 0o644 })
  const job = '0 2 * * * @win(after,2h) @avoid(cal=x) name=a command=/bin/true\n'
  const entry = () => parseJobFile(job, join(directory, 'a.kron')).entries[0]!
  return { directory, put, entry, parse, parses: () => parses }
}

test('a job gets the calendar beside its file, which each reading parses once', t => {
  const { put, entry, parse, parses } = stage(t)
  const read = (calendars = new Calendars(parse)) => calendars.entry(entry())
  assert.match(faultsOf(read())[0]!.message, /there is no calendar "x"/)
  put('x.dates', '20000')
  const calendars = new Calendars(parse)
  const [first] = calendarsOf(value(read(calendars)).schedule)
  assert.deepEqual([first!.name, first!.ranges!.days, first!.digest.length], ['x', [[20_000, 20_000]], 64])
  read(calendars)
  assert.equal(parses(), 1)
  put('x.dates', '20001')
  const [second] = calendarsOf(value(read()).schedule)
  assert.notEqual(second!.digest, first!.digest)
  put('x.ics', '1')
  assert.match(faultsOf(read())[0]!.message, /is there twice/)
})

test('a calendar that others could change is refused where trust is asked for', t => {
  const { directory, put, entry, parse } = stage(t)
  put('x.dates', '20000')
  chmodSync(join(directory, 'calendars/x.dates'), 0o666)
  const trust = new PathTrust({ uid: process.getuid!(), gid: process.getgid!(), followSymlinks: false })
  assert.match(
    faultsOf(new Calendars(parse, trust).entry(entry()))[0]!.message,
    /x\.dates: everybody may write/,
  )
  assert.ok(new Calendars(parse).entry(entry()).ok)
})

test('an entry without calendars stays the same object', t => {
  const { parse } = stage(t)
  const [entry] = parseJobFile('0 2 * * * name=a command=/bin/true', '/a.kron').entries
  assert.equal(value(new Calendars(parse).entry(entry!)), entry)
})
