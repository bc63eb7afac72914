import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { control, visible, visibleJson, visibleScreen } from './visible.ts'

test('control characters are shown, and ordinary text of any language stays', () => {
  assert.equal(visible('a\u001b[2Jb'), 'a\\x1b[2Jb')
  assert.equal(visible('\u0000\u0007\u007f\u009b\n\t\r'), '\\x00\\x07\\x7f\\x9b\\x0a\\x09\\x0d')
  assert.equal(visible('right\u202eleft\u2066\ufeff'), 'right\\u202eleft\\u2066\\ufeff')
  assert.equal(visible('Käse 日本 🙂 naïve'), 'Käse 日本 🙂 naïve')
})

test('JSON stays the same value, and has no control characters', () => {
  const value = { text: 'a\u001b\u009b\u007f\u202e' }
  const text = visibleJson(JSON.stringify(value, null, 2))
  assert.deepEqual(JSON.parse(text), value)
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
})

test('our own sequences and the layout stay, every other control character is shown', () => {
  const own = `${control('31m')}red${control('39m')}\n\ttext`
  assert.equal(visibleScreen(own), '\u001b[31mred\u001b[39m\n\ttext')
  const foreign = '\u001b[31mred\u001b[39m\r\u001b]0;title\u0007\u009b2J'
  assert.equal(visibleScreen(foreign), '\\x1b[31mred\\x1b[39m\\x0d\\x1b]0;title\\x07\\x9b2J')
  assert.equal(visibleScreen(`${control('K')}reading`), '\u001b[Kreading')
})

test('our own sequences take no columns', () => {
  assert.equal(stripVTControlCharacters(`${control('1m')}bold${control('22m')}`), 'bold')
})

test('copies of the module, as the parts of a bundle have them, let through the colours of each other', async () => {
  const copy = './visible.ts?copy'
  const other = (await import(copy)) as typeof import('./visible.ts')
  assert.notEqual(other.control, control)
  assert.equal(visibleScreen(other.control('31m')), '\u001b[31m')
})
