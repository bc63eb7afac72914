import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HostZones } from '@kron/host'
import { makeTzif } from '@kron/testkit/host/zone/tzif'
import { type Event, fieldOf } from '../log/event.ts'
import { ZoneWatch } from './zone-watch.ts'

test('a damaged zone file is reported once, with the rules that its zone has', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'kron-zones-'))
  t.after(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'Europe'))
  const [paris, rome] = ['Paris', 'Rome'].map(city => join(directory, 'Europe', city)) as [string, string]
  writeFileSync(paris, makeTzif({ offsets: [7_200] }))
  writeFileSync(rome, 'half a fi')
  const zones = new HostZones(directory)
  zones.find('Europe/Paris')
  zones.find('Europe/Rome')
  const told: Event[] = []
  const takeUp = async (): Promise<unknown> => zones.refresh()
  const watch = new ZoneWatch({ zones, takeUp, emit: event => void told.push(event) })
  await watch.check()
  writeFileSync(paris, 'half a fi')
  await watch.check()
  await watch.check()
  assert.deepEqual(
    told.map(event => fieldOf(event, 'message')),
    [
      `${rome} is not used: it ends within a header; krond uses Node's rules for Europe/Rome`,
      `${paris} is not used: it ends within a header; krond keeps the rules of Europe/Paris that it read before`,
    ],
  )
})
