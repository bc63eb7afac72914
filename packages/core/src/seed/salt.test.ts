import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differsByHost, expandSalt, saltFault } from './salt.ts'

const PLACE = { host: 'web1.example.org', machine: '00112233445566778899aabbccddeeff' }

test('every specifier is replaced, and nothing else', () => {
  const salts: Readonly<Record<string, string>> = {
    '': '',
    blue: 'blue',
    '%H': PLACE.host,
    '%m': PLACE.machine,
    '%H/%m': `${PLACE.host}/${PLACE.machine}`,
    '%%H': '%H',
    '100%%': '100%',
    '%%%H': `%${PLACE.host}`,
  }
  for (const [written, salt] of Object.entries(salts))
    assert.deepEqual(expandSalt(written, PLACE), { ok: true, value: salt })
})

test('an unknown specifier and a lone percent sign are mistakes with their place', () => {
  for (const [salt, at, length] of [
    ['a%h', 1, 2],
    ['%', 0, 1],
    ['%%%', 2, 1],
    ['%H%M', 2, 2],
  ] as const) {
    const fault = saltFault(salt)
    assert.deepEqual([fault?.at, fault?.length], [at, length], salt)
    assert.match(fault?.hint ?? '', /%% for a percent sign/)
    assert.equal(expandSalt(salt, PLACE).ok, false)
  }
})

test('a host without a machine id has no %m, and still has %H and %%m', () => {
  const place = { host: 'a', machine: undefined }
  assert.equal(expandSalt('%m', place).ok, false)
  assert.deepEqual(expandSalt('%H%%m', place), { ok: true, value: 'a%m' })
})

test('a salt differs by host exactly when two hosts expand it differently', () => {
  const other = { host: 'web2.example.org', machine: 'ffeeddccbbaa99887766554433221100' }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('%H', '%m', '%%', 'H', 'm', 'x'), { maxLength: 6 }), parts => {
      const salt = parts.join('')
      const [one, two] = [expandSalt(salt, PLACE), expandSalt(salt, other)]
      assert.ok(one.ok && two.ok)
      assert.equal(differsByHost(salt), one.value !== two.value)
    }),
    { numRuns: 2_000, seed: 1 },
  )
})

test('a text without specifiers can be written as a salt by doubling its percent signs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      assert.deepEqual(expandSalt(text.replaceAll('%', '%%'), PLACE), { ok: true, value: text })
    }),
    { numRuns: 1_000, seed: 2 },
  )
})
