import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNotifyEvents, parseTargets, printTarget } from './notify.ts'

test('targets are read as they are printed', () => {
  const text = 'mail:root,webhook:https://hooks.example/services/T0?x=1,command:/usr/local/bin/tell'
  const targets = parseTargets(text)
  assert.ok(!('wrong' in targets))
  assert.equal(targets.map(printTarget).join(','), text)
  assert.deepEqual(parseTargets('none'), [])
})

test('a target that could begin a header, an option or another protocol is refused', () => {
  for (const wrong of [
    'mail:a@b\nBcc: c@d',
    'mail:-oQ/tmp@x y',
    'mail:',
    'webhook:file:///etc/passwd',
    'webhook:https://user:password@host/',
    'webhook:ftp://x/',
    'command:relative',
    'command:/bin/sh -c x',
    'carrier-pigeon:home',
    '',
  ])
    assert.ok('wrong' in parseTargets(wrong), wrong)
})

test('events are a closed set', () => {
  assert.deepEqual(parseNotifyEvents('failed,output'), ['failed', 'output'])
  assert.deepEqual(parseNotifyEvents('failed,fail'), { wrong: 'fail' })
})
