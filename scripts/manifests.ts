// Writes packaging/kubernetes (kustomize, Helm chart, dashboard) from the operator's own definitions.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packagingFiles } from '../packages/operator/src/install/packaging.ts'

const directory = join(import.meta.dirname, '../packaging/kubernetes')
for (const [path, text] of Object.entries(packagingFiles())) {
  const file = join(directory, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
