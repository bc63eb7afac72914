import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { changeManifestSalts } from './change-salt.ts'

const head = 'kind: KronJob\nmetadata: {name: a, namespace: shop}\n'
const change = (text: string): string => changeManifestSalts(text, new Map([['shop/a', 'x~1']]), 'default')

test('a salt is put into manifests of every shape, and nothing else changes', () => {
  const cases: [name: string, text: string, changed: string][] = [
    [
      'no seed',
      `${head}spec:\n  # when\n  schedule: "0 2 * * *"\n`,
      `${head}spec:\n  # when\n  seed: { salt: "x~1" }\n  schedule: "0 2 * * *"\n`,
    ],
    [
      'a seed',
      `${head}spec:\n    seed:\n        strategy: daily # keep\n`,
      `${head}spec:\n    seed:\n        salt: "x~1"\n        strategy: daily # keep\n`,
    ],
    [
      'a salt',
      `${head}spec: {seed: {strategy: daily, salt: old}} # end\n`,
      `${head}spec: {seed: {strategy: daily, salt: "x~1"}} # end\n`,
    ],
    [
      'an empty salt',
      `${head}spec:\n  seed:\n    salt:\n    strategy: daily\n`,
      `${head}spec:\n  seed:\n    salt: "x~1"\n    strategy: daily\n`,
    ],
    [
      'a flow seed',
      `${head}spec:\n  seed: {strategy: daily}\n`,
      `${head}spec:\n  seed: {salt: "x~1", strategy: daily}\n`,
    ],
    ['an empty flow seed', `${head}spec:\n  seed: {}\n`, `${head}spec:\n  seed: {salt: "x~1"}\n`],
    [
      'JSON',
      '{"kind":"KronJob","metadata":{"name":"a","namespace":"shop"},"spec":{"schedule":"@daily"}}',
      '{"kind":"KronJob","metadata":{"name":"a","namespace":"shop"},"spec":{"seed": {"salt": "x~1"},"schedule":"@daily"}}',
    ],
  ]
  for (const [name, text, changed] of cases) {
    assert.equal(change(text), changed, name)
    const [document] = parseAllDocuments(changed)
    assert.equal((document!.toJS() as { spec: { seed: { salt: string } } }).spec.seed.salt, 'x~1', name)
  }
})

test('other KronJobs, other kinds and lists are told apart', () => {
  const other = `${head.replace('name: a', 'name: b')}spec:\n  schedule: "@daily"\n`
  const job = `${head.replace('KronJob', 'CronJob')}spec:\n  schedule: "@daily"\n`
  assert.equal(change(`${other}---\n${job}`), `${other}---\n${job}`)
  const list =
    'kind: List\nitems:\n- kind: KronJob\n  metadata: {name: a, namespace: shop}\n  spec:\n    schedule: "@daily"\n'
  assert.equal(change(list), list.replace('schedule', 'seed: { salt: "x~1" }\n    schedule'))
})
