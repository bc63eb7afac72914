import assert from 'node:assert/strict'
import test from 'node:test'
import { verdict } from './compare.ts'
import type { Target } from './notebook.ts'

const target = (
  wanted: Target['wanted'],
  value: number,
  range?: readonly [least: number, most: number],
): Target => ({ what: 'next', value, ...(range && { range }), wanted, limit: 1, unit: '×' })

test('a ratio that should be high is worse when it falls, better when it rises', () => {
  assert.equal(verdict(target('at least', 300), target('at least', 200)), 'WORSE')
  assert.equal(verdict(target('at least', 300), target('at least', 290)), 'as before')
  assert.equal(verdict(target('at least', 300), target('at least', 400)), 'better')
})

test('a ratio that should be low is worse when it rises', () => {
  assert.equal(verdict(target('at most', 1.5), target('at most', 2)), 'WORSE')
  assert.equal(verdict(target('at most', 1.5), target('at most', 1.1)), 'better')
})

test('ranges that do not meet make a small loss certain; ranges that meet excuse it', () => {
  const before = target('at least', 10, [9.8, 10.2])
  assert.equal(verdict(before, target('at least', 8.8, [8.7, 9])), 'WORSE')
  assert.equal(verdict(before, target('at least', 8.8, [8, 9.9])), 'as before')
})
