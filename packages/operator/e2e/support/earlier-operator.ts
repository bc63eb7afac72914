import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The commit of an earlier operator that a cluster may still run: before counted results and typed templates. */
const COMMIT = 'c932aeb'
const ROOT = join(import.meta.dirname, '../../../..')

export interface EarlierOperator {
  readonly program: string
  /** The operator's custom resource definition, as YAML. */
  readonly crd: string
}

/** Unpacks the earlier operator with its matching packages. Undefined if the clone does not contain that commit. */
export function earlierOperator(directory: string): EarlierOperator | undefined {
  const home = join(directory, 'earlier')
  mkdirSync(join(home, 'node_modules/@kron'), { recursive: true })
  try {
    const archive = execFileSync('git', ['archive', COMMIT, 'packages'], { cwd: ROOT, maxBuffer: 1 << 28 })
    execFileSync('tar', ['-x', '-C', home], { input: archive })
  } catch {
    return undefined
  }
  for (const name of readdirSync(join(home, 'packages')))
    symlinkSync(join(home, 'packages', name), join(home, 'node_modules/@kron', name))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && name !== '@kron')
      symlinkSync(join(ROOT, 'node_modules', name), join(home, 'node_modules', name))
  const bin = join(home, 'packages/operator/src/bin')
  const install = ['--conditions=kron-source', join(bin, 'kronctl.ts'), 'install', '--print']
  const manifests = execFileSync(process.execPath, install, { encoding: 'utf8' }).split(/^---$/m)
  const crd = manifests.find(each => each.includes('kind: CustomResourceDefinition'))!
  return { program: join(bin, 'kron-operator.ts'), crd }
}
