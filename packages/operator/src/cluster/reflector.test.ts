import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import type { Metadata } from '../manifest/kronjob.ts'
import type { Api } from './api.ts'
import { ApiError } from './api-error.ts'
import { Reflector } from './reflector.ts'

interface Item {
  readonly metadata: Metadata
}

const item = (name: string, resourceVersion: string): Item => ({
  metadata: { name, namespace: 'n', uid: name, resourceVersion, creationTimestamp: '' },
})

interface Watching {
  readonly from: string
  readonly signal: AbortSignal
  say(type: string, object: object): void
  end(error?: Error): void
}

/** A fake API server: the test sets the list and the output of each watch. */
function scripted() {
  const state = { items: [] as Item[], version: '1', lists: 0, refusing: false }
  const watches: Watching[] = []
  const api = {
    call: async () => {
      state.lists++
      return { metadata: { resourceVersion: state.version }, items: [...state.items] }
    },
    stream: (
      _path: string,
      query: { resourceVersion: string },
      onLine: (line: string) => void,
      signal: AbortSignal,
      onOpen: () => void,
    ) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new ApiError(0, { message: 'aborted' }, 'watch')))
        if (!state.refusing) onOpen()
        watches.push({
          from: query.resourceVersion,
          signal,
          say: (type, object) => {
            try {
              onLine(JSON.stringify({ type, object }))
            } catch (error) {
              reject(error)
            }
          },
          end: error => (error ? reject(error) : resolve()),
        })
      }),
  }
  return { state, watches, api: api as unknown as Api }
}

function reflected() {
  const server = scripted()
  const clock = new VirtualClock()
  const seen: string[] = []
  const troubles: string[] = []
  const reflector = new Reflector<Item>({
    api: server.api,
    path: '/items',
    clock,
    stallTimeout: 60_000,
    into: {
      retain: (keys, version) => seen.push(`list ${version}: ${[...keys].join()}`),
      put: object => seen.push(`put ${object.metadata.name}`),
      remove: object => seen.push(`remove ${object.metadata.name}`),
    },
    onTrouble: error => troubles.push((error as Error).message),
  })
  const stop = new AbortController()
  const done = reflector.run(stop.signal)
  return { ...server, clock, seen, troubles, reflector, done, stop: () => stop.abort() }
}

test('it lists once, then follows', async () => {
  const { clock, watches, seen, state, reflector, stop, done } = reflected()
  await clock.run(0)
  assert.ok(reflector.synced)
  watches[0]!.say('ADDED', item('a', '2'))
  watches[0]!.say('BOOKMARK', { metadata: { resourceVersion: '9' } })
  watches[0]!.say('DELETED', item('a', '10'))
  assert.deepEqual(seen, ['list 1: ', 'put a', 'remove a'])
  await clock.run(50_000)
  watches[0]!.end()
  await clock.run(1_000)
  assert.equal(watches[1]!.from, '10', 'a watch that ended is resumed where it was')
  assert.equal(state.lists, 1)
  stop()
  await done
})

test('on 410 it lists again', async () => {
  const { clock, watches, seen, state } = reflected()
  await clock.run(0)
  state.items = [item('b', '40')]
  state.version = '41'
  watches[0]!.say('ERROR', { code: 410, reason: 'Expired', message: 'too old resource version' })
  await clock.run(1_000)
  assert.deepEqual(seen, ['list 1: ', 'put b', 'list 41: n/b'])
  assert.equal(watches[1]!.from, '41')
})

test('a silent watch is given up and resumed', async () => {
  const { clock, watches, troubles, state } = reflected()
  await clock.run(0)
  await clock.run(59_000)
  watches[0]!.say('BOOKMARK', { metadata: { resourceVersion: '5' } })
  await clock.run(59_000)
  assert.equal(watches.length, 1)
  await clock.run(2_000)
  assert.ok(watches[0]!.signal.aborted)
  assert.deepEqual(troubles, ['the watch of /items fell silent'])
  assert.deepEqual([watches[1]!.from, state.lists], ['5', 1])
})

test('failures make it wait longer each time, up to half a minute', async () => {
  const { clock, watches } = reflected()
  await clock.run(0)
  const waits: number[] = []
  for (let failure = 0; failure < 14; failure++) {
    const before = watches.length
    watches.at(-1)!.end(new ApiError(0, { message: 'connection reset' }, 'watch'))
    const since = clock.now()
    while (watches.length === before) await clock.run(50)
    waits.push(clock.now() - since)
  }
  assert.ok(waits[0]! <= 250, `${waits}`)
  assert.ok(
    waits.slice(-3).every(wait => wait >= 15_000 && wait <= 30_100),
    `${waits}`,
  )
})

test('refresh resolves with a list that began after it was asked for', async () => {
  const { clock, state, seen, reflector } = reflected()
  await clock.run(5_000)
  state.version = '77'
  let fresh = false
  void reflector.refresh().then(() => {
    fresh = true
  })
  await clock.run(1_000)
  assert.ok(fresh)
  assert.deepEqual(seen, ['list 1: ', 'list 77: '])
})

test('stopping while a list is under way leaves no watch behind', async () => {
  const { clock, watches, reflector, stop, done } = reflected()
  await clock.run(5_000)
  void reflector.refresh()
  stop()
  await clock.run(1_000)
  await done
  assert.ok(watches.every(each => each.signal.aborted))
})

test('a watch that the server does not accept is trouble after a while, and none once it does', async () => {
  const { clock, state, watches, reflector, stop, done } = reflected()
  await clock.run(0)
  assert.equal(reflector.trouble, undefined)
  state.refusing = true
  for (let round = 0; round < 10; round++) {
    watches.at(-1)!.end(new ApiError(403, { message: 'forbidden' }, 'watch'))
    await clock.run(5_000)
  }
  assert.match(reflector.trouble ?? '', /^no watch for \d+ s$/)
  state.refusing = false
  watches.at(-1)!.end(new ApiError(403, { message: 'forbidden' }, 'watch'))
  await clock.run(40_000)
  assert.equal(reflector.trouble, undefined)
  stop()
  await done
})
