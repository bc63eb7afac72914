import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nodeDisk } from '@kron/runtime'
import { faultyDisk } from '@kron/testkit/disk/faulty-disk'
import { ScopedTokens } from './scoped-tokens.ts'

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'kron-tokens-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

const about = (name: string, scope = 'read') => ({ name, scope, added: '2026-03-01T00:00:00Z', by: 'root' })

async function secretOf(tokens: ScopedTokens, name: string, scope?: string): Promise<string> {
  const answer = await tokens.add(about(name, scope))
  assert.ok(typeof answer === 'object', String(answer))
  return answer.secret
}

test('a token is known by its secret alone, also to the next daemon; the file has no secret in it', async t => {
  const directory = directoryOf(t)
  const tokens = new ScopedTokens(directory)
  const secret = await secretOf(tokens, 'grafana')
  const other = await secretOf(tokens, 'deploy', 'operate')
  for (const each of [tokens, new ScopedTokens(directory)]) {
    assert.equal(each.find(secret)?.name, 'grafana')
    assert.deepEqual([each.find(other)?.name, each.find(other)?.scope], ['deploy', 'operate'])
    assert.deepEqual(
      each.list().map(({ name }) => name),
      ['grafana', 'deploy'],
    )
  }
  const path = `${directory}/tokens.json`
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const text = readFileSync(path, 'utf8')
  assert.ok(!text.includes(secret) && !text.includes(other))
})

test('neither a name nor a hash, a part, a file name or another case of a secret is a secret', async t => {
  const directory = directoryOf(t)
  const tokens = new ScopedTokens(directory)
  const secret = await secretOf(tokens, 'grafana')
  const { tokens: kept } = JSON.parse(readFileSync(`${directory}/tokens.json`, 'utf8')) as {
    tokens: readonly { sha256: string }[]
  }
  const guesses = [
    'grafana',
    'tokens.json',
    `${directory}/tokens.json`,
    '../token',
    kept[0]!.sha256,
    secret.slice(0, -1),
    `${secret}=`,
    secret.toLowerCase(),
    '',
    '__proto__',
  ]
  for (const guess of guesses) assert.equal(tokens.find(guess), undefined, guess)
})

test('a removed token is refused at once and after a restart, and the others stay', async t => {
  const directory = directoryOf(t)
  const tokens = new ScopedTokens(directory)
  const removed = await secretOf(tokens, 'a')
  const stays = await secretOf(tokens, 'b')
  const told: string[] = []
  tokens.onRemoved = name => told.push(name)
  assert.equal(await tokens.remove('a'), true)
  assert.equal(await tokens.remove('a'), false)
  assert.deepEqual(told, ['a'])
  for (const each of [tokens, new ScopedTokens(directory)]) {
    assert.equal(each.find(removed), undefined)
    assert.equal(each.find(stays)?.name, 'b')
  }
  const again = await secretOf(tokens, 'a')
  assert.notEqual(again, removed)
  assert.equal(tokens.find(removed), undefined, 'a new token of the same name does not revive the old one')
})

test('names that mean something to a shell, a path or a terminal are refused, and so are other scopes', async t => {
  const tokens = new ScopedTokens(directoryOf(t))
  const names = ['', '-x', '.hidden', 'a/b', '../token', 'a b', 'a\n', '\u001b[2J', 'x'.repeat(64)]
  for (const name of names) assert.equal(await tokens.add(about(name)), 'name', JSON.stringify(name))
  for (const scope of ['', 'full', 'READ', 'read,operate'])
    assert.equal(await tokens.add(about('a', scope)), 'scope', scope)
  await secretOf(tokens, 'a')
  assert.equal(await tokens.add(about('a', 'operate')), 'exists')
  assert.equal(tokens.list().length, 1)
})

test('tokens that are added at the same time are all kept', async t => {
  const directory = directoryOf(t)
  const tokens = new ScopedTokens(directory)
  const names = Array.from({ length: 20 }, (_, i) => `t${i}`)
  const secrets = await Promise.all(names.map(name => secretOf(tokens, name)))
  const next = new ScopedTokens(directory)
  assert.deepEqual(
    secrets.map(secret => next.find(secret)?.name),
    names,
  )
  for (let i = 20; i < 100; i++) await secretOf(tokens, `t${i}`)
  assert.equal(await tokens.add(about('one-more')), 'many')
})

test('a file that others may change, that is damaged, or that is a link admits nobody and is not overwritten', async t => {
  const directory = directoryOf(t)
  const path = `${directory}/tokens.json`
  const secret = await secretOf(new ScopedTokens(directory), 'a')
  const good = readFileSync(path, 'utf8')
  const refused = async (why: RegExp): Promise<void> => {
    const warnings: string[] = []
    const tokens = new ScopedTokens(directory, message => warnings.push(message))
    assert.equal(tokens.find(secret), undefined)
    assert.equal(await tokens.add(about('b')), 'damaged')
    assert.equal(warnings.length, 1)
    assert.match(warnings[0]!, why)
  }
  chmodSync(path, 0o620)
  await refused(/other users/)
  chmodSync(path, 0o600)
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    good.replace('"version": 1', '"version": 2'),
    good.replace(/[0-9a-f]{64}/, 'abc'),
  ]) {
    writeFileSync(path, text)
    await refused(/no token of/)
    assert.equal(readFileSync(path, 'utf8'), text)
  }
  writeFileSync(`${directory}/elsewhere`, good, { mode: 0o600 })
  rmSync(path)
  symlinkSync(`${directory}/elsewhere`, path)
  await refused(/not a file/)
})

test('on a full disk no token is added, and a removed one is refused all the same', async t => {
  const directory = directoryOf(t)
  const secret = await secretOf(new ScopedTokens(directory), 'a')
  const full = faultyDisk(nodeDisk, [
    { operation: 'write', code: 'ENOSPC', call: 1 },
    { operation: 'write', code: 'ENOSPC', call: 2 },
  ])
  const tokens = new ScopedTokens(directory, () => {}, full)
  await assert.rejects(tokens.add(about('b')), /ENOSPC/)
  assert.equal(tokens.list().length, 1)
  await assert.rejects(tokens.remove('a'), /ENOSPC/)
  assert.equal(tokens.find(secret), undefined)
})
