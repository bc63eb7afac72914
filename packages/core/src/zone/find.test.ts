import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findZone, suggestZone } from './find.ts'
import { UTC } from './zone.ts'

test('every zone of the runtime is found under its own name', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) assert.equal(findZone(name)?.name, name)
})

test('links keep the name they were asked for', () => {
  const links =
    'Asia/Kolkata Asia/Calcutta Europe/Kyiv US/Eastern GB-Eire NZ-CHAT W-SU EST5EDT Etc/GMT+5 Etc/UTC GMT Zulu ' +
    'Africa/Dar_es_Salaam America/Port-au-Prince America/Knox_IN Antarctica/DumontDUrville Antarctica/McMurdo ' +
    'Australia/ACT Australia/LHI Brazil/DeNoronha Chile/EasterIsland Europe/Isle_of_Man Mexico/BajaSur ' +
    'America/Argentina/ComodRivadavia America/North_Dakota/New_Salem US/East-Indiana'
  for (const name of links.split(' ')) assert.equal(findZone(name)?.name, name)
})

test('a zone is made once', () => {
  assert.equal(findZone('Europe/Paris'), findZone('Europe/Paris'))
  assert.equal(findZone('UTC'), UTC)
})

test('what is no IANA name in its exact spelling is not found', () => {
  const wrong = [
    ...[
      '',
      ' ',
      'Mars/Olympus',
      'Europe',
      'Europe/',
      '/Paris',
      'Europe/Paris ',
      ' Europe/Paris',
      'Europe/ Paris',
    ],
    ...[
      'europe/paris',
      'EUROPE/PARIS',
      'Europe/paris',
      'asia/kolkata',
      'Asia/KOLKATA',
      'utc',
      'Utc',
      'Etc/utc',
    ],
    ...[
      '+02:00',
      '+0200',
      '+02',
      '-00:00',
      'UTC+1',
      'GMT+5',
      'Z',
      'PST',
      'JST',
      'IST',
      'ART',
      'SystemV/PST8',
    ],
    ...['US/Pacific-New', 'Factory', 'localtime', 'Etc/Unknown', 'Etc/GMT+13', 'Europe/Paris\0', '__proto__'],
    ...['constructor', 'Ｅurope/Paris', 'x'.repeat(1_000_000), `Europe/${'x'.repeat(1_000_000)}`],
  ]
  for (const name of wrong) assert.equal(findZone(name), undefined, name.slice(0, 40))
})

test('a wrong name with an evident meaning gets a suggestion', () => {
  const meant = {
    'europe/paris': 'Europe/Paris',
    'ASIA/KOLKATA': 'Asia/Kolkata',
    'America/New York': 'America/New_York',
    utc: 'UTC',
    Paris: 'Europe/Paris',
    'new york': 'America/New_York',
    PST: 'America/Los_Angeles',
    ' Europe/Paris': 'Europe/Paris',
  }
  for (const [wrong, right] of Object.entries(meant)) assert.equal(suggestZone(wrong), right)
  for (const wrong of ['+02:00', 'Mars/Olympus', '', 'x'.repeat(1_000_000)]) {
    assert.equal(suggestZone(wrong), undefined, wrong.slice(0, 40))
  }
})

test('no text makes the search for a zone throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), text => {
      assert.ok(findZone(text) === undefined || findZone(text)?.name === text)
      const close = suggestZone(text)
      assert.ok(close === undefined || findZone(close) !== undefined)
    }),
    { numRuns: 200, seed: 1 },
  )
})
