import assert from 'node:assert/strict'
import { type Fault, type Job, type Parsed, parseInstant, parseSchedule, type Schedule } from '@kron/core'

/** The value of a text that is known to be valid. */
export function value<T>(parsed: Parsed<T>): T {
  assert.ok(parsed.ok, parsed.ok ? '' : JSON.stringify(parsed.faults))
  return parsed.value
}

/** The faults of a text that is known to be invalid. */
export function faultsOf(parsed: Parsed<unknown>): readonly Fault[] {
  assert.ok(!parsed.ok, 'it was accepted')
  return parsed.faults
}

export const scheduleOf = (text: string): Schedule => value(parseSchedule(text))

export const jobOf = (text: string, identity = 'host/job'): Job => ({ identity, schedule: scheduleOf(text) })

/** An RFC 3339 time in epoch seconds. */
export const instant = (text: string): number => value(parseInstant(text))
