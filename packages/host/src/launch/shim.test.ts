import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFrame, LENGTH_BYTES } from './frames.ts'
import type { RunSpec } from './run-spec.ts'
import { type Channel, Shim, type ShimObserver } from './shim.ts'

const SPEC: RunSpec = {
  executionId: 'e',
  job: 'a',
  command: ['/bin/true'],
  environment: {},
  stdout: { kind: 'inherit' },
  stderr: { kind: 'inherit' },
}
const END = [
  ...['exit 0', 'started 1', 'ended 2', 'user 0', 'system 0', 'memory 0', 'out 0', 'err 0', 'dropped 0'],
  ...['undelivered 0', 'why exited', 'left 0'],
]

function talk(observer?: ShimObserver) {
  const sent: (readonly string[])[] = []
  const channel: Channel = { send: fields => void sent.push(fields), onFrame: () => {} }
  const shim = new Shim(channel, observer)
  const hear = (...fields: string[]): void => channel.onFrame(encodeFrame(fields).subarray(LENGTH_BYTES))
  return { shim, sent, hear }
}

test('answers find their start by its number, in whatever order they come', async () => {
  const { shim, sent, hear } = talk()
  const [first, second] = [shim.start('one', SPEC), shim.start('two', SPEC)]
  assert.deepEqual(
    sent.map(([kind, ref, claim]) => [kind, ref, claim]),
    [
      ['start', '1', 'one'],
      ['start', '2', 'two'],
    ],
  )
  hear('refused', '2', 'exec', '2', '/x')
  hear('started', '1', '77', '5', '76', '4', '3000000')
  assert.deepEqual(await second, { kind: 'refused', stage: 'exec', errno: 2, detail: '/x' })
  const answer = await first
  assert.ok(answer.kind === 'started')
  assert.deepEqual([answer.run.pid, answer.run.shimPid, answer.run.startedBootMs], [77, 76, 3])
  hear('ended', '1', ...END)
  assert.equal(((await answer.run.ended) as { exitCode: number }).exitCode, 0)
})

test('an answer that comes twice, or to no question, changes nothing', async () => {
  const { shim, hear } = talk()
  const start = shim.start('one', SPEC)
  hear('started', '1', '77', '5', '76', '4', '1')
  hear('started', '1', '78', '5', '76', '4', '1')
  hear('already', '1')
  hear('ended', '9', ...END)
  const answer = await start
  assert.ok(answer.kind === 'started' && answer.run.pid === 77)
  hear('ended', '1', ...END)
  hear('lost', '1')
  assert.notEqual(await answer.run.ended, 'lost')
})

test('an end record that cannot be read is a lost end, not an exit status', async () => {
  const { shim, hear } = talk()
  const follow = shim.follow('one')
  hear('ended', '1', 'exit 0')
  assert.deepEqual(await follow, { kind: 'lost' })
})

test('a followed run is running until its end, over, or was never there', async () => {
  for (const [frames, kind] of [
    [[['gone', '1']], 'gone'],
    [[['lost', '1']], 'lost'],
    [[['ended', '1', ...END]], 'ended'],
    [[['started', '1', '7', '5', '6', '4', '1']], 'running'],
  ] as const) {
    const { shim, hear } = talk()
    const follow = shim.follow('one')
    for (const frame of frames) hear(...frame)
    assert.equal((await follow).kind, kind)
  }
})

test('output and requests go to the observer as they are', () => {
  const heard: unknown[] = []
  const { hear } = talk({
    output: (...given) => heard.push(given),
    request: request => heard.push(request),
    hangup: connection => heard.push(connection),
  })
  hear('output', '4', 'err', '12', 'a\0b')
  hear('request', '3', '1000', '55', '{"request":"status"}')
  hear('hangup', '3')
  assert.deepEqual(heard, [
    [4, 'err', 12, 'a\0b\0'],
    { connection: '3', uid: 1000, pid: 55, line: '{"request":"status"}' },
    '3',
  ])
})
