import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { localTimeZone } from './system-clock.ts'

const before = process.env['TZ']
after(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test('the zone of the host is what Intl calls it, also where there is none of that name', () => {
  for (const zone of [
    'UTC',
    'Europe/Paris',
    'Asia/Kolkata',
    'EST5EDT',
    'Etc/GMT+5',
    'UTC+3',
    'Nowhere/At_All',
  ]) {
    process.env['TZ'] = zone
    assert.equal(localTimeZone(), new Intl.DateTimeFormat().resolvedOptions().timeZone, zone)
  }
})
