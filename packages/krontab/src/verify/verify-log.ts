import { createReadStream } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { differences, recompute } from '@kron/core'
import { type Calendars, Curves, hostZones } from '@kron/host'
import { noCalendars } from '../context/command-context.ts'
import { badInput } from '../context/refusal.ts'
import { readLogLine } from './log-line.ts'
import type { Verification } from './verification.ts'

/** Recomputes every decision of a log; `-` is standard input. */
export async function verifyLog(
  path: string,
  name: string,
  found: Verification,
  calendars: Calendars,
  curves = new Curves(),
): Promise<void> {
  const input = name === '-' ? process.stdin : createReadStream(path)
  let number = 0
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      verifyLine(line, `${name}:${++number}`, found, calendars, curves)
    }
  } catch (error) {
    throw badInput(`cannot read ${name}: ${(error as Error).message}`)
  }
}

export function verifyLine(
  line: string,
  where: string,
  found: Verification,
  calendars: Calendars = noCalendars(),
  curves = new Curves(),
): void {
  const read = readLogLine(line)
  if (read.kind === 'other') return
  if (read.kind === 'unreadable') {
    found.unreadable.push({ where, why: read.why })
    return
  }
  const { record } = read
  const directory = dirname(record.identity)
  const decision = recompute(
    record,
    undefined,
    hostZones().find,
    name => calendars.find(directory, name),
    file => curves.find(directory, file).curve,
  )
  if (!decision.ok) {
    const { zoneData } = record
    const data =
      zoneData === undefined ? '' : ` (it was made with ${zoneData}; this host has ${hostZones().source()})`
    found.unreadable.push({ where, why: `${decision.faults[0]!.message}${data}` })
    return
  }
  found.checked++
  const wrong = differences(record, decision.value)
  if (wrong.length === 0) return
  found.mismatches.push({ identity: record.identity, periodId: record.periodId, where, differences: wrong })
}
