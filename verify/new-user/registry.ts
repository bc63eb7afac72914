/**
 * A registry that has Kron's packages, as if they were published, so that a page's `npm install @kron/…` can be typed:
 * `node registry.ts DIRECTORY` packs the workspaces into the directory, prints the address and serves until it is killed.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { pack, publishedPackages } from '../../scripts/packages.ts'

const PUBLISHED = publishedPackages().map(({ name }) => name.slice('@kron/'.length))

interface Manifest {
  readonly name: string
  readonly version: string
}

const directory = process.argv[2]!
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** What npm asks for first: the versions of a package, and where their tarballs are. */
function documentOf(tarball: string): [name: string, document: object] {
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })
  const manifest = JSON.parse(text) as Manifest
  const { name, version } = manifest
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  const dist = { tarball: `${address}/${basename(tarball)}`, integrity }
  return [name, { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }]
}

const documents = new Map(pack(PUBLISHED, directory).map(documentOf))
server.on('request', ({ url = '' }, response) => {
  const path = decodeURIComponent(url.slice(1))
  const document = documents.get(path)
  if (document !== undefined) response.end(JSON.stringify(document))
  else if (/^[\w.-]+\.tgz$/.test(path)) response.end(readFileSync(join(directory, path)))
  else response.writeHead(404).end()
})
console.log(address)
