/**
 * Calendars as Kron reads them beside an independent reader: icalendar and dateutil from PyPI, in a virtual
 * environment of their own.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseCalendar } from '@kron/calendar'
import type { CalendarRanges } from '@kron/core'
import { Chance } from '@kron/testkit/chance'
import { commandLine } from '../command-line.ts'
import { hostileCalendars } from './hostile.ts'
import { randomCalendar } from './random-shapes.ts'
import { SHAPES } from './shapes.ts'

const USAGE = `usage: npm run verify -- calendars [options]
  --count N    random calendars beside the fixed ones (default 2000)
  --seed N     what chance begins with (default 1)

  npm run verify -- calendars --count 5000 --seed 2
`

const { values } = commandLine(USAGE, {
  count: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
})

const python = environment()
const chance = new Chance(Number(values.seed))
const calendars: { name: string; text: string }[] = [
  ...Object.entries(SHAPES).map(([name, text]) => ({ name, text })),
  ...Array.from({ length: Number(values.count) }, (_, i) => ({
    name: `random ${i}`,
    text: randomCalendar(chance),
  })),
]

const { stdout, stderr, status } = spawnSync(
  python,
  [fileURLToPath(new URL('reference.py', import.meta.url))],
  {
    input: calendars.map(each => `${JSON.stringify(each)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  },
)
assert.equal(status, 0, stderr)
const expected = stdout
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as CalendarRanges & { name: string; synchronized: boolean })

let different = 0
let undefinedRules = 0
for (const [i, { name, text }] of calendars.entries()) {
  const read = parseCalendar(text, 'ics')
  const { days, local, instants } = expected[i]!
  const ours = read.ok
    ? JSON.stringify([read.value.days, read.value.local, read.value.instants])
    : read.faults[0]!.message
  const theirs = JSON.stringify([days, local, instants])
  if (ours === theirs) continue
  if (!expected[i]!.synchronized) {
    undefinedRules++
    continue
  }
  different++
  console.log(`${name}\n${text}\n  Kron      ${ours.slice(0, 300)}\n  reference ${theirs.slice(0, 300)}\n`)
}
console.log(
  `${Object.keys(SHAPES).length} shapes and ${values.count} random rules (seed ${values.seed}): ${different} differ; ${undefinedRules} others differ that RFC 5545 leaves undefined (DTSTART does not satisfy the rule)`,
)

for (const { name, text } of hostileCalendars()) {
  const began = performance.now()
  const read = parseCalendar(text, 'ics')
  const result = read.ok
    ? `${read.value.days.length + read.value.local.length + read.value.instants.length} ranges`
    : read.faults[0]!.message
  console.log(
    `hostile: ${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s, ${(text.length / 1e6).toFixed(1)} MB: ${result}`,
  )
}
process.exitCode = different === 0 ? 0 : 1

/** The Python of a virtual environment with the two packages. */
function environment(): string {
  const directory = join(tmpdir(), `kron-calendars-${userInfo().uid}`)
  const program = join(directory, 'bin/python')
  if (existsSync(program)) return program
  execFileSync('python3', ['-m', 'venv', directory], { stdio: 'inherit' })
  execFileSync(join(directory, 'bin/pip'), ['install', '-q', 'icalendar', 'python-dateutil', 'tzdata'], {
    stdio: 'inherit',
  })
  return program
}
