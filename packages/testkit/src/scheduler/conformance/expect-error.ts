import assert from 'node:assert/strict'
import * as scheduler from '../../../../scheduler/src/index.ts'
import { Fixture } from './fixture.ts'

/** The error of `initialize` for a list that it must refuse. */
export async function refusal(registrations: unknown): Promise<Error & { details: unknown }> {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const refused = await world.scheduler.initialize(registrations as never).catch(error => error)
  assert.ok(refused instanceof Error)
  assert.deepEqual([world.store.loads, world.store.commits.length], [0, 0])
  assert.throws(() => scheduler.validateRegistrations(registrations), {
    name: refused.name,
    message: refused.message,
  })
  return refused as Error & { details: unknown }
}

export function expectError(error: unknown, name: string, message: string, details: unknown): void {
  assert.ok(error instanceof Error)
  assert.equal(error.name, name)
  assert.equal(error.message, message)
  assert.deepEqual((error as { details?: unknown }).details, details)
  assert.ok(error instanceof (scheduler as unknown as Record<string, ErrorConstructor>)[name]!)
  assert.ok(error.stack?.startsWith(`${name}: ${message}`))
}
