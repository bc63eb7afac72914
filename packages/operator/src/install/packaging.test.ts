import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { IMAGE, installation } from './manifests.ts'
import { packagingFiles } from './packaging.ts'

const directory = join(import.meta.dirname, '../../../../packaging/kubernetes')
const generated = packagingFiles()

test('the committed manifests, chart and dashboard are what the generator makes', () => {
  const committed = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name).slice(directory.length + 1))
  assert.deepEqual(committed.sort(), Object.keys(generated).sort())
  for (const [path, text] of Object.entries(generated)) {
    assert.equal(
      readFileSync(join(directory, path), 'utf8'),
      text,
      `${path} is stale: run scripts/manifests.ts`,
    )
  }
})

test('kustomize and kronctl install hold the same objects', () => {
  const plain = Object.entries(generated)
    .filter(([path]) => path.startsWith('kustomize/base/') && !path.endsWith('kustomization.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text).map(each => each.toJS() as object))
  const printed = installation({ namespace: 'kron-system', image: IMAGE })
  const sorted = (objects: readonly object[]): string[] => objects.map(each => JSON.stringify(each)).sort()
  assert.deepEqual(sorted(plain), sorted(printed))
})

test('no mark of the generator is left in the chart', () => {
  for (const [path, text] of Object.entries(generated))
    assert.doesNotMatch(text, /@(namespace|only|image|replicas|args|resources)@/, path)
})
