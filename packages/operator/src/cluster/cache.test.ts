import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../manifest/kronjob.ts'
import { Cache } from './cache.ts'

const object = (name: string, resourceVersion: string, uid = name) => ({
  metadata: { name, namespace: 'n', uid, resourceVersion, creationTimestamp: '' } satisfies Metadata,
})

function recorded() {
  const changes: string[] = []
  const cache = new Cache(
    (each: ReturnType<typeof object>) => each.metadata.resourceVersion,
    (key, before, after) => changes.push(`${key} ${before}→${after}`),
  )
  return { cache, changes }
}

test('an older version never replaces a newer one', () => {
  const { cache, changes } = recorded()
  cache.put(object('a', '9'))
  cache.put(object('a', '10'))
  cache.put(object('a', '9'))
  cache.put(object('a', '10'))
  assert.equal(cache.get('n/a'), '10')
  assert.deepEqual(changes, ['n/a undefined→9', 'n/a 9→10'])
})

test('what was deleted does not come back with a late answer', () => {
  const { cache } = recorded()
  cache.put(object('a', '1'))
  cache.remove(object('a', '2'))
  cache.put(object('a', '3'))
  assert.equal(cache.get('n/a'), undefined)
  cache.put(object('a', '4', 'another'))
  assert.equal(cache.get('n/a'), '4')
})

test('the deletion of a predecessor leaves its successor alone', () => {
  const { cache } = recorded()
  cache.put(object('a', '5', 'new'))
  cache.remove(object('a', '4', 'old'))
  assert.equal(cache.get('n/a'), '5')
})

test('a list replaces everything but what is newer than the list', () => {
  const { cache, changes } = recorded()
  cache.put(object('gone', '3'))
  cache.put(object('kept', '4'))
  cache.put(object('fresh', '12'))
  changes.length = 0
  for (const each of [object('kept', '4'), object('new', '7')]) cache.put(each)
  cache.retain(new Set(['n/kept', 'n/new']), '10')
  assert.deepEqual([...cache.keys()].sort(), ['n/fresh', 'n/kept', 'n/new'])
  assert.deepEqual(changes, ['n/new undefined→7', 'n/gone 3→undefined'])
})

test('a list of one namespace leaves the objects of others alone', () => {
  const { cache } = recorded()
  const elsewhere = { metadata: { ...object('b', '2').metadata, namespace: 'other' } }
  cache.put(object('a', '1'))
  cache.put(elsewhere)
  cache.within('n').retain(new Set(), '5')
  assert.deepEqual([cache.get('n/a'), cache.get('other/b')], [undefined, '2'])
  cache.within(undefined).retain(new Set(), '6')
  assert.equal(cache.size, 0)
})
