import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventStream } from './event-stream.ts'

const TEXT =
  'retry: 2000\n\nid: a.1\nevent: reset\ndata: {}\n\n: beat\n\nid: a.2\ndata: {"x":1}\n\ndata: one\ndata: two\n\n'
const MESSAGES = [
  { id: 'a.1', event: 'reset', data: '{}' },
  { id: 'a.2', event: 'message', data: '{"x":1}' },
  { id: 'a.2', event: 'message', data: 'one\ntwo' },
]

test('events are read, heartbeats are dropped, an id lasts until the next', () => {
  assert.deepEqual(new EventStream().push(TEXT), MESSAGES)
})

test('it does not matter where the network cuts the text', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 8 }), cuts => {
      const stream = new EventStream()
      const edges = [0, ...cuts.sort((a, b) => a - b), TEXT.length]
      const pieces = edges.slice(1).map((edge, i) => TEXT.slice(edges[i], edge))
      assert.deepEqual(
        pieces.flatMap(piece => stream.push(piece)),
        MESSAGES,
      )
    }),
  )
})

test('an event that has not ended is not told', () => {
  const stream = new EventStream()
  assert.deepEqual(stream.push('id: 1\ndata: half'), [])
  assert.deepEqual(stream.push('\n\n'), [{ id: '1', event: 'message', data: 'half' }])
})
