import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as big from '@kron/testkit/core/math/big-reference'

/** The first 60 decimals. */
const decimals = ({ mantissa, exponent }: big.Real): string => {
  const scaled = (mantissa * 10n ** 60n) >> BigInt(-exponent)
  return `${scaled / 10n ** 60n}.${(scaled % 10n ** 60n).toString().padStart(60, '0')}`
}

test('the reference knows the published digits of e, ln 10, √2 and 1/√(2π)', () => {
  assert.equal(decimals(big.bigExp(1)), '2.718281828459045235360287471352662497757247093699959574966967')
  assert.equal(decimals(big.bigExpm1(1)), '1.718281828459045235360287471352662497757247093699959574966967')
  assert.equal(decimals(big.bigLog(10)), '2.302585092994045684017991454684364207601101488628772976033327')
  assert.equal(decimals(big.bigLog1p(9)), '2.302585092994045684017991454684364207601101488628772976033327')
  assert.equal(decimals(big.bigPow(2, 0.5)), '1.414213562373095048801688724209698078569671875376948073176679')
  assert.equal(
    decimals(big.bigNormalDensity(0)),
    '0.398942280401432677939946059934381868475858631164934657665925',
  )
})

test('the reference knows the published digits of Φ on both sides of the change of method', () => {
  assert.equal(
    decimals(big.bigNormalCdf(-1)),
    '0.158655253931457051414767454367962077522087033273395609012605',
  )
  assert.equal(
    decimals(big.bigNormalCdf(2.5)),
    '0.993790334674223864833021895425807778872102253076907231731437',
  )
  assert.equal(
    decimals(big.bigNormalCdf(-5.5)),
    '0.000000018989562465887719383851274033580186316357489119296793',
  )
  assert.equal(
    decimals(big.bigNormalCdf(-6)),
    '0.000000000986587645037698140700864132398042018669791249979028',
  )
  assert.equal(
    decimals(big.bigNormalCdf(-7.5)),
    '0.000000000000031908916729108962277672883447263553128756367843',
  )
  assert.equal(
    decimals(big.bigNormalCdf(7.5)),
    '0.999999999999968091083270891037722327116552736446871243632156',
  )
})

test('the reference measures distances in units of the last place', () => {
  const one = { mantissa: 1n, exponent: 0 }
  assert.equal(big.ulpsBetween(1, one), 0)
  assert.equal(big.ulpsBetween(1 + 2 ** -52, one), 1)
  assert.equal(big.ulpsBetween(1 - 2 ** -53, one), 0.5)
  assert.equal(big.ulpsBetween(2 ** -1074, { mantissa: 3n, exponent: -1075 }), 0.5)
  assert.equal(big.ulpsBetween(Infinity, one), Infinity)
  assert.equal(big.relativeError(1, 2 ** -70, 3, { mantissa: 8n, exponent: 0 }), 2 ** -70)
})
