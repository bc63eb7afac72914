/**
 * Writes the golden files: `node --conditions=kron-source vectors/generate.ts`. Cases that a file holds already are
 * never changed, only new ones added: a decision that differs from its vector is a mistake, or a new major version.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import * as core from '@kron/core'
import { calendarCases } from './calendar-cases.ts'
import { decisionCases } from './cases.ts'
import { fleetCases } from './fleet-cases.ts'
import { periodCases } from './period-cases.ts'
import { decisionOf, periodsOf } from './runner.js'
import { weightsCases } from './weights-cases.ts'

interface Case {
  readonly name: string
  readonly input: object
}

interface Golden extends Case {
  readonly expected: unknown
}

const FORMAT = 'kron-vectors/1'

function write(file: string, cases: readonly Case[], answer: (input: object) => unknown): void {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const kept: Golden[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).cases : []
  const byName = new Map(kept.map(each => [each.name, each]))
  const added: Golden[] = []
  for (const { name, input } of cases) {
    const golden = { name, input, expected: answer(input) }
    const old = byName.get(name)
    if (old === undefined) added.push(golden)
    else if (!isDeepStrictEqual(old, golden)) refuse(file, old, golden)
    byName.set(name, golden)
  }
  const lines = [...kept, ...added].map(each => `    ${JSON.stringify(each)}`)
  writeFileSync(path, `{\n  "format": "${FORMAT}",\n  "cases": [\n${lines.join(',\n')}\n  ]\n}\n`)
  console.log(`${file}: ${kept.length} kept, ${added.length} added`)
}

function refuse(file: string, old: Golden, golden: Golden): never {
  console.error(`error: ${file} holds another answer for "${old.name}"; golden vectors never change`)
  console.error(`  golden: ${JSON.stringify(old)}\n  found:  ${JSON.stringify(golden)}`)
  process.exit(1)
}

write('decisions.json', decisionCases(), input => decisionOf(core, input))
write('fleet.json', fleetCases(), input => decisionOf(core, input))
write('calendars.json', calendarCases(), input => decisionOf(core, input))
write('weights.json', weightsCases(), input => decisionOf(core, input))
write('periods.json', periodCases(), input => periodsOf(core, input))
